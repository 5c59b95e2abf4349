import type { Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load.ts';
import { listExcluded } from '../contract/selection.ts';
import { findPolicyBeside } from '../document/settings-file.ts';
import { readSource, toSourceUrl } from '../document/source.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { createMock } from '../mock/create-mock.ts';
import type { Listener, Mock } from '../mock/mock.ts';
import type { LoggedRequest } from '../mock/message.ts';
import { readData } from '../mock/state/data-file.ts';
import type { GivenRows, Imported, StateRows } from '../mock/state/rows.ts';
import type { Policy } from '../policy/policy.ts';
import { readPolicyFile } from '../policy/read-policy.ts';
import { type Explanation, explainContract } from '../report/explain.ts';
import { pickSuites } from '../runner/suite.ts';
import { allSuites } from '../../suites/all-suites.ts';
import { createFileGuard } from './file-guard.ts';
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

/** The default number of cases of a property. */
const usualRuns = 100;

/** Contract, mock and last run of a server, and the work of its tools. All of it ends with `close`. */
export interface Workspace {
  /** Explains what a document specifies. @throws ClocheError for a file that cannot be used */
  readonly explain: (files: NamedFiles) => Promise<Explanation>;
  /** Starts the mock, and returns its URL. @throws ClocheError OPTION_INVALID if one runs */
  readonly startMock: (choice: MockChoice) => Promise<{ readonly url: string; readonly contract: Contract }>;
  /** Adds resources to the mock, or replaces all. @throws DataError which names each rejected row */
  readonly seedMock: (rows: GivenRows, mode: 'merge' | 'replace') => Promise<Imported>;
  /** Returns the resources and the newest requests of the mock. Credentials in requests are redacted. */
  readonly inspectMock: (limit: number) => Promise<{
    readonly url: string;
    readonly state: StateRows;
    readonly requests: readonly LoggedRequest[];
  }>;
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

/** Creates the workspace of a server. */
export function createWorkspace(settings: AgentSettings): Workspace {
  const guard = createFileGuard(settings.folder);
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
      onRead: guard.check,
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
    return { url: running.listener.url, contract: opened.contract };
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
      return { isMock, baseUrl: own.listener.url, token: undefined, files: own };
    }
    const baseUrl = target ?? settings.baseUrl ?? '';
    const isOwn = settings.baseUrl !== undefined && isSameOrigin(baseUrl, settings.baseUrl);
    return { isMock, baseUrl, token: isOwn ? settings.token : undefined, files: await open(files) };
  }

  return {
    async explain(files) {
      const { contract, document, given } = await open(files);
      return explainContract({ contract, source: document, given, suites: allSuites, runs: usualRuns });
    },
    startMock,
    seedMock: (rows, mode) => requireMock('seed').mock.state.import(rows, mode),
    async inspectMock(limit) {
      const { mock, listener } = requireMock('inspect');
      return {
        url: listener.url,
        state: await mock.state.export(),
        requests: mock.requests.list({}, limit),
      };
    },
    resetMock: () => requireMock('reset').mock.reset(),
    stopMock,
    async runTests(choice, signal) {
      const { files, ...target } = await openChoice(choice);
      const { operations = [], suites = [], seed, maxTime, readOnly } = choice;
      last = await runTests({
        ...files,
        ...target,
        folder: settings.folder,
        excluded: operations.length === 0 ? [] : listExcluded(files.contract, { include: { operations } }),
        suites: pickSuites(allSuites, suites),
        seed,
        maxTimeMs: maxTime * 1_000,
        readOnly,
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
