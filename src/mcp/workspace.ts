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
import { createFileGuard, type FileGuard } from './file-guard.ts';
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

/** Contract, mock and last run of a server, and the work of its tools. All of it ends with `close`. */
export class Workspace {
  readonly #settings: AgentSettings;
  readonly #guard: FileGuard;
  #used: NamedFiles;
  #running: RunningMock | undefined;
  #last: FinishedRun | undefined;

  /** @throws ClocheError REFERENCE_REFUSED for settings outside the folder of the server */
  constructor(settings: AgentSettings) {
    this.#settings = settings;
    this.#used = settings;
    this.#guard = createFileGuard(settings.folder);
    const { overlays = [] } = settings.reading;
    [settings.document, settings.policy, ...overlays].forEach(
      (file) => file === undefined || this.#guard.allow(file),
    );
  }

  /** Explains what a document specifies, as text. @throws ClocheError for a file that cannot be used */
  async explain({
    operations = [],
    ...files
  }: Pick<RunChoice, 'operations' | keyof NamedFiles>): Promise<string> {
    const { contract, document: source, given } = await this.#open(files);
    const shown = withoutOperations(contract, listExcluded(contract, { include: { operations } }));
    return explainForAgent({ contract: shown, source, given });
  }

  /**
   * Starts the mock, and returns its URL and the number of items in each collection.
   *
   * @throws ClocheError OPTION_INVALID if one runs
   */
  async startMock({ port = 0, data, dataCount, seed, ...files }: MockChoice): Promise<{
    readonly url: string;
    readonly contract: Contract;
    readonly items: Readonly<Record<string, number>>;
  }> {
    if (this.#running !== undefined) {
      throw unusable('start', 'the mock', [
        `one runs on ${this.#running.listener.url}`,
        'Stop it with stop_mock, or use it',
      ]);
    }
    const opened = await this.#open(files);
    const { contract, given: policy } = opened;
    const mock = await createMock(contract, {
      policy,
      ...(data === undefined ? {} : { data: await readData(this.#guard.allow(data)) }),
      ...(dataCount === undefined ? {} : { dataCount }),
      ...(seed === undefined ? {} : { seed }),
    });
    const listener = await mock.listen({ port, host: '127.0.0.1' }).catch(async (error: unknown) => {
      await mock.close();
      throw error;
    });
    this.#running = { ...opened, mock, listener };
    const collections = await mock.state.collections();
    const items = Object.fromEntries(collections.map(({ name, count }) => [name, count]));
    return { url: listener.url, contract, items };
  }

  /**
   * Adds resources to the mock, or replaces all. Returns the ids of the new ones by collection.
   *
   * @throws DataError which names each rejected row
   */
  async seedMock(
    rows: GivenRows,
    mode: 'merge' | 'replace',
  ): Promise<Imported & { readonly ids: Readonly<Record<string, readonly JsonValue[]>> }> {
    const { mock } = this.#requireMock('seed');
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

  /** Renders a part of the mock. @throws ClocheError as describeMock */
  async inspectMock(wanted: WantedPart): Promise<string> {
    const { mock, listener } = this.#requireMock('inspect');
    return describeMock(mock, listener.url, wanted);
  }

  resetMock(): Promise<void> {
    return this.#requireMock('reset').mock.reset();
  }

  async stopMock(): Promise<void> {
    const { mock } = this.#requireMock('stop');
    this.#running = undefined;
    await mock.close();
  }

  /** Runs suites, and returns the verdict with the ids of the findings. @throws ClocheError as runSuites */
  async runTests(choice: RunChoice, signal: AbortSignal): Promise<string> {
    const { folder, readOnly, isolated } = this.#settings;
    const { files, ...target } = await this.#openChoice(choice);
    this.#last = await runTests({
      ...files,
      ...target,
      folder,
      excluded: this.#listExcluded(files, choice.operations),
      suites: pickSuites(allSuites, choice.suites ?? []),
      seed: choice.seed,
      maxTimeMs: choice.maxTime * 1_000,
      readOnly: readOnly || choice.readOnly === true,
      isolated: choice.isolated ?? isolated,
      signal,
    });
    return summarizeRun(this.#last);
  }

  /** Returns a finding of the last run. @throws ClocheError OPTION_INVALID for an unknown id */
  readFinding(id: string): string {
    const text = findReported(this.#requireRun('read a finding of'), id);
    if (text !== undefined) return text;
    throw unusable('read the finding', id, [
      'the last run did not find it',
      'Give an id that run_tests listed',
    ]);
  }

  /** Returns the text of the document or the policy file that was used last, or that the settings name. */
  async readUsed(which: 'document' | 'policy'): Promise<string> {
    const name = this.#used[which];
    if (name === undefined) {
      throw unusable('read', `the ${which}`, ['no call has named one', `Give the path of a ${which}`]);
    }
    return (await readSource(toSourceUrl(this.#guard.allow(name)), name)).text;
  }

  /** Returns the JSON report of the last run. @throws ClocheError OPTION_INVALID if there is none */
  readReport(): string {
    return this.#requireRun('read the report of').json;
  }

  async close(): Promise<void> {
    if (this.#running !== undefined) await this.stopMock();
  }

  async #open(files: NamedFiles): Promise<OpenFiles> {
    const { document: usual, policy: usualPolicy, reading } = this.#settings;
    const guard = this.#guard;
    const policy = files.policy ?? (files.document === undefined ? usualPolicy : undefined);
    const file = policy === undefined ? undefined : await readPolicyFile(guard.allow(policy));
    const document = files.document ?? usual ?? file?.contract;
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
      ...(document === usual ? reading : {}),
    });
    file?.checkOperations(contract);
    // A run reads a few values of this file too.
    const beside = findPolicyBeside(document);
    if (beside !== undefined) guard.allow(beside);
    this.#used = { document, policy };
    return { contract, document, policy, given: file?.policy ?? {} };
  }

  #requireMock(attempt: string): RunningMock {
    if (this.#running !== undefined) return this.#running;
    throw unusable(attempt, 'the mock', ['no mock runs', 'Start one with start_mock']);
  }

  #requireRun(attempt: string): FinishedRun {
    if (this.#last !== undefined) return this.#last;
    throw unusable(attempt, 'the last run', ['there was no run', 'Run tests with run_tests']);
  }

  /** Returns the target of a run and its files. */
  async #openChoice({ target, ...files }: RunChoice) {
    const { baseUrl: usual, token, headers } = this.#settings;
    const isMock = target === 'mock' || (target === undefined && usual === undefined);
    if (isMock) {
      const own = this.#requireMock('test');
      return { isMock, baseUrl: own.listener.url, token: undefined, headers: [], files: own };
    }
    const baseUrl = target ?? usual ?? '';
    const isOwn = usual !== undefined && isSameOrigin(baseUrl, usual);
    const secret = isOwn ? { token, headers } : { token: undefined, headers: [] };
    return { isMock, baseUrl, ...secret, files: await this.#open(files) };
  }

  /** Lists the operations that a call leaves out. The selection of the settings is one of their document. */
  #listExcluded({ contract, document }: OpenFiles, operations: readonly string[] = []) {
    const { document: usual, selection } = this.#settings;
    const { include, exclude = {} } = document === usual ? selection : {};
    return listExcluded(contract, {
      include: { ...include, ...(operations.length === 0 ? {} : { operations }) },
      exclude,
    });
  }
}

function isSameOrigin(left: string, right: string): boolean {
  return URL.canParse(left) && URL.canParse(right) && new URL(left).origin === new URL(right).origin;
}
