import type { Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load.ts';
import { listExcluded, type Selection, withoutOperations } from '../contract/selection.ts';
import { findPolicyBeside } from '../document/settings-file.ts';
import type { DocumentOptions } from '../document/read-document.ts';
import { readSource, toSourceUrl } from '../document/source.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import type { HeaderList } from '../http/message.ts';
import { parseJsonValue } from '../json/parse.ts';
import type { JsonValue } from '../json/value.ts';
import { createMock } from '../mock/create-mock.ts';
import type { Listener, Mock } from '../mock/mock.ts';
import { readData } from '../mock/state/data-file.ts';
import { type GivenRows, type Imported, listPaths } from '../mock/state/rows.ts';
import type { Policy } from '../policy/policy.ts';
import { readPolicyFile } from '../policy/read-policy.ts';
import { pickSuites } from '../runner/suite.ts';
import { allSuites } from '../../suites/all-suites.ts';
import { explainForAgent } from './explain-text.ts';
import { createFileGuard } from './file-guard.ts';
import { describeMock, type WantedPart } from './mock-text.ts';
import { type FinishedRun, findReported, runTests, summarizeRun } from './test-run.ts';

/** Settings of the server, which the user gives; a client cannot change them. */
export interface AgentSettings {
  /** The folder that contains all files that the tools may read. */
  readonly folder: string;
  /** The document of calls that name none. */
  readonly document: string | undefined;
  /** The policy file of calls that name neither a document nor a policy. */
  readonly policy: string | undefined;
  /** The service of calls that name none. */
  readonly baseUrl: string | undefined;
  /** The token for that service; no other service receives it. */
  readonly token: string | undefined;
  /** Header fields for that service. */
  readonly headers: HeaderList;
  /** How to read the document of the settings. */
  readonly reading: Pick<DocumentOptions, 'overlays' | 'isStrict'>;
  /** The operations of that document to test. */
  readonly selection: Selection;
  /** Whether all runs send only GET, HEAD and OPTIONS. */
  readonly readOnly: boolean;
  /** Whether runs never send operations that are left out, unless a call says otherwise. */
  readonly isolated: boolean;
}

/** The files that a call names. */
interface NamedFiles {
  readonly document?: string | undefined;
  readonly policy?: string | undefined;
}

/** Options of a mock that a client starts. */
interface MockChoice extends NamedFiles {
  readonly port?: number | undefined;
  /** The path of a file with the initial data. */
  readonly data?: string | undefined;
  readonly dataCount?: number | undefined;
  readonly seed?: number | undefined;
}

/** Options of a run that a client starts. */
interface RunChoice extends NamedFiles {
  /** The base URL of a service, or `mock` for the mock that runs. */
  readonly target?: string | undefined;
  readonly operations?: readonly string[] | undefined;
  readonly suites?: readonly string[] | undefined;
  readonly seed?: number | undefined;
  /** In seconds. */
  readonly maxTime: number;
  readonly readOnly?: boolean | undefined;
  readonly isolated?: boolean | undefined;
}

interface OpenFiles {
  readonly contract: Contract;
  /** The document and the policy file, as they were named. */
  readonly document: string;
  readonly policy: string | undefined;
  readonly given: Partial<Policy>;
}

interface RunningMock extends OpenFiles {
  readonly mock: Mock;
  readonly listener: Listener;
}

/** Contract, mock and last run of a server, and the work of its tools. All of it ends with `close`. */
export interface Workspace {
  /** Explains what a document specifies, as text. @throws ClocheError for a file that cannot be used */
  readonly explain: (choice: Pick<RunChoice, 'operations' | keyof NamedFiles>) => Promise<string>;
  /** Starts the mock, and returns its URL. @throws ClocheError OPTION_INVALID if one runs */
  readonly startMock: (choice: MockChoice) => Promise<{
    readonly url: string;
    readonly contract: Contract;
    /** The number of items in each collection. */
    readonly items: Readonly<Record<string, number>>;
  }>;
  /**
   * Adds resources to the mock, or replaces all. Returns the ids of the new ones by collection.
   *
   * @throws DataError which names each rejected row
   */
  readonly seedMock: (
    rows: GivenRows,
    mode: 'merge' | 'replace',
  ) => Promise<Imported & { readonly ids: Readonly<Record<string, readonly JsonValue[]>> }>;
  /** Renders a part of the mock. @throws ClocheError as describeMock */
  readonly inspectMock: (wanted: WantedPart) => Promise<string>;
  readonly resetMock: () => Promise<void>;
  readonly stopMock: () => Promise<void>;
  /** Runs suites, and returns the verdict with the ids of the findings. @throws ClocheError as runSuites */
  readonly runTests: (choice: RunChoice, signal: AbortSignal) => Promise<string>;
  /** Returns a finding of the last run. @throws ClocheError OPTION_INVALID for an unknown id */
  readonly readFinding: (id: string) => string;
  /** Returns the text of the document or the policy file that was used last, or that the settings name. */
  readonly readUsed: (which: 'document' | 'policy') => Promise<string>;
  /** Returns the JSON report of the last run. @throws ClocheError OPTION_INVALID if there is none */
  readonly readReport: () => string;
  readonly close: () => Promise<void>;
}

function unusable(
  attempt: string,
  subject: string,
  [reason, remedy]: readonly [string, string],
): ClocheError {
  return new ClocheError('OPTION_INVALID', { attempt, subject, reason, remedy });
}

/** Returns the ids of the resources in collections; a collection without any has none. */
async function listIds({ state }: Mock, paths: readonly string[]) {
  const lists = paths.map(async (path) => {
    // A path that the document lacks is an error of the import.
    const page = await state.list(path, { limit: Infinity }).catch(() => ({ resources: [] }));
    return [path, page.resources.map(({ key }) => key)] as const;
  });
  return new Map(await Promise.all(lists));
}

/** Creates the workspace of a server. @throws ClocheError REFERENCE_REFUSED for settings outside its folder */
export function createWorkspace(settings: AgentSettings): Workspace {
  const guard = createFileGuard(settings.folder);
  const { overlays = [] } = settings.reading;
  [settings.document, settings.policy, ...overlays].forEach(
    (file) => file === undefined || guard.allow(file),
  );
  let used: Pick<OpenFiles, 'document' | 'policy'> | undefined;
  let running: RunningMock | undefined;
  let last: FinishedRun | undefined;

  async function open(files: NamedFiles): Promise<OpenFiles> {
    const policy = files.policy ?? (files.document === undefined ? settings.policy : undefined);
    const file = policy === undefined ? undefined : await readPolicyFile(guard.allow(policy));
    const document = files.document ?? settings.document ?? file?.contract;
    if (document === undefined) {
      throw unusable('find the document', 'document', [
        'neither the call nor cloche mcp names one',
        'Give the path of an OpenAPI document',
      ]);
    }
    const contract = await loadContract(guard.allow(document), {
      followReferences: false,
      within: guard.base,
      onRead: guard.check,
      ...(document === settings.document ? settings.reading : {}),
    });
    file?.checkOperations(contract);
    // A run reads a few values of this file too.
    const beside = findPolicyBeside(document);
    if (beside !== undefined) guard.allow(beside);
    used = { document, policy };
    return { contract, document, policy, given: file?.policy ?? {} };
  }

  function requireMock(attempt: string): RunningMock {
    if (running !== undefined) return running;
    throw unusable(attempt, 'the mock', ['no mock runs', 'Start one with start_mock']);
  }

  function requireRun(attempt: string): FinishedRun {
    if (last !== undefined) return last;
    throw unusable(attempt, 'the last run', ['there was no run', 'Run tests with run_tests']);
  }

  async function startMock({ port = 0, data, dataCount, seed, ...files }: MockChoice) {
    if (running !== undefined) {
      throw unusable('start', 'the mock', [
        `one runs on ${running.listener.url}`,
        'Stop it with stop_mock, or use it',
      ]);
    }
    const opened = await open(files);
    const mock = await createMock(opened.contract, {
      policy: opened.given,
      ...(data === undefined ? {} : { data: await readData(guard.allow(data)) }),
      ...(dataCount === undefined ? {} : { dataCount }),
      ...(seed === undefined ? {} : { seed }),
    });
    try {
      running = { ...opened, mock, listener: await mock.listen({ port, host: '127.0.0.1' }) };
    } catch (error) {
      await mock.close();
      throw error;
    }
    const collections = await mock.state.collections();
    return {
      url: running.listener.url,
      contract: opened.contract,
      items: Object.fromEntries(collections.map(({ name, count }) => [name, count])),
    };
  }

  async function stopMock(): Promise<void> {
    const { mock } = requireMock('stop');
    running = undefined;
    await mock.close();
  }

  /** Returns the target of a run and its files. */
  async function openChoice({ target, ...files }: RunChoice) {
    const isMock = target === 'mock' || (target === undefined && settings.baseUrl === undefined);
    if (isMock) {
      const own = requireMock('test');
      return { isMock, baseUrl: own.listener.url, token: undefined, headers: [], files: own };
    }
    const baseUrl = target ?? settings.baseUrl ?? '';
    const isOwn = settings.baseUrl !== undefined && isSameOrigin(baseUrl, settings.baseUrl);
    const secret = isOwn ? settings : { token: undefined, headers: [] };
    return { isMock, baseUrl, token: secret.token, headers: secret.headers, files: await open(files) };
  }

  /** Lists the operations that a call leaves out. The selection of the settings is one of their document. */
  function readExcluded({ contract, document }: OpenFiles, operations: readonly string[] = []) {
    const { include, exclude = {} } = document === settings.document ? settings.selection : {};
    return listExcluded(contract, {
      include: { ...include, ...(operations.length === 0 ? {} : { operations }) },
      exclude,
    });
  }

  async function seedMock(rows: GivenRows, mode: 'merge' | 'replace') {
    const { mock } = requireMock('seed');
    const paths = listPaths(rows);
    const before = mode === 'merge' ? await listIds(mock, paths) : new Map<string, readonly string[]>();
    const counts = await mock.state.import(rows, mode);
    const after = await listIds(mock, paths);
    const ids = [...after].map(([path, keys]) => {
      const known = new Set(before.get(path));
      return [path, keys.filter((key) => !known.has(key)).map((key) => parseJsonValue(key) ?? key)] as const;
    });
    return { ...counts, ids: Object.fromEntries(ids) };
  }

  return {
    async explain({ operations = [], ...files }) {
      const { contract, document: source, given } = await open(files);
      const shown = withoutOperations(contract, listExcluded(contract, { include: { operations } }));
      return explainForAgent({ contract: shown, source, given });
    },
    startMock,
    seedMock,
    async inspectMock(wanted) {
      const { mock, listener } = requireMock('inspect');
      return describeMock(mock, listener.url, wanted);
    },
    resetMock: () => requireMock('reset').mock.reset(),
    stopMock,
    async runTests(choice, signal) {
      const { files, ...target } = await openChoice(choice);
      const { operations, suites = [], seed, maxTime, readOnly, isolated = settings.isolated } = choice;
      last = await runTests({
        ...files,
        ...target,
        folder: settings.folder,
        excluded: readExcluded(files, operations),
        suites: pickSuites(allSuites, suites),
        seed,
        maxTimeMs: maxTime * 1_000,
        readOnly: settings.readOnly || readOnly === true,
        isolated,
        signal,
      });
      return summarizeRun(last);
    },
    readFinding(id) {
      const run = requireRun('read a finding of');
      const text = findReported(run, id);
      if (text !== undefined) return text;
      throw unusable('read the finding', id, [
        'the last run did not find it',
        'Give an id that run_tests listed',
      ]);
    },
    async readUsed(which) {
      const name = (used ?? settings)[which];
      if (name === undefined) {
        throw unusable('read', `the ${which}`, ['no call has named one', `Give the path of a ${which}`]);
      }
      return (await readSource(toSourceUrl(guard.allow(name)), name)).text;
    },
    readReport: () => requireRun('read the report of').json,
    async close() {
      if (running !== undefined) await stopMock();
    },
  };
}

function isSameOrigin(left: string, right: string): boolean {
  return URL.canParse(left) && URL.canParse(right) && new URL(left).origin === new URL(right).origin;
}
