import cluster, { type Worker } from 'node:cluster';
import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { composeMock, type SharedParts } from '../assemble.ts';
import { node } from '../create-mock.ts';
import type { MockResponse } from '../message.ts';
import type { Listener, ListenOptions, Mock, MockOptions } from '../mock.ts';
import type { Prepared } from '../reload.ts';
import { answerReceived, type Responder } from '../responder.ts';
import {
  fingerprintOf,
  fromLogEntry,
  type LeftRequest,
  type MessageFromWorker,
  type MessageToWorker,
  readClock,
  type SharedState,
  type SharedToken,
  toHead,
  toSentAnswer,
  type WorkerLogEntry,
} from './worker-message.ts';

/** A mock whose requests worker processes answer. */
interface MockOfWorkers {
  readonly mock: Mock;
  /** Runs a change of the mock. Meanwhile the primary answers all requests; afterwards all workers follow it. */
  readonly around: <T>(change: () => Promise<T>) => Promise<T>;
  /** Rejects if the workers end again and again. */
  readonly failed: Promise<never>;
}

/** The address of a listener. */
type Place = Pick<Listener, 'url' | 'isOpenToOthers' | 'certificate'>;

interface WorkerSettings {
  /** The number of workers. */
  readonly count: number;
  /** The URL of the store that they share. */
  readonly store: string;
  /** Receives a sentence for the user. */
  readonly tell: (sentence: string) => void;
}

interface PoolSettings extends WorkerSettings {
  readonly responder: Responder;
  readonly shared: SharedParts;
  readonly fail: (error: Error) => void;
}

/** The number of workers that may end within a time, in milliseconds. */
const mostEnds = 3;
const endsWithinMs = 10_000;
/** The time for which entries of the log wait for earlier ones of other workers, in milliseconds. */
const sortedWithinMs = 10;
/** The time after which a worker that does not stop is killed, in milliseconds. */
const stopsWithinMs = 5000;
/** The time after which a worker that does not follow a change is killed, in milliseconds: the others wait for it. */
const followsWithinMs = 10_000;
/** The time between two looks whether all workers still answer, in milliseconds. */
const lookMs = 2_000;

/**
 * Creates a mock that listens with several processes. The process that calls it is the primary: it has the log, the
 * faults, the clock and the control interface, and it answers what its workers leave to it.
 *
 * @throws ClocheError as createMock
 */
export async function createMockOfWorkers(
  contract: Contract,
  options: MockOptions,
  settings: WorkerSettings,
): Promise<MockOfWorkers> {
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  let pool: WorkerPool | undefined;
  const mock = await composeMock({
    contract,
    options,
    platform: {
      ...node,
      listen(responder, where = {}, shared) {
        pool = new WorkerPool({ ...settings, responder, shared, fail });
        return pool.listen(contract.title, where);
      },
    },
  });
  return { mock, failed, around: (change) => (pool ? pool.around(change) : change()) };
}

/** The workers of a mock. */
class WorkerPool {
  readonly #settings: PoolSettings;
  /** The workers that follow the state, with their outstanding confirmations. */
  readonly #members = new Map<Worker, Map<number, () => void>>();
  /** All workers, also those that still start. */
  readonly #running = new Set<Worker>();
  /** The workers that were killed because they did not answer. */
  readonly #hung = new WeakSet<Worker>();
  #ends: number[] = [];
  #isStopping = false;
  #lastWarning = '';
  #lastId = 0;
  /** The number of changes in progress. */
  #changes = 0;
  #prepared: Prepared | undefined;
  #document = '';
  #revision = 0;
  #sent: SharedState | undefined;
  /** The tokens that the workers do not know yet. */
  #tokens: SharedToken[] = [];
  #confirmed: Promise<unknown> = Promise.resolve();
  #entries: WorkerLogEntry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    settings.shared.issued.onChange = (...token) => this.#tokens.push(token);
  }

  /** Starts the workers: one, and the others when it listens, so that an error is reported once. */
  async listen(title: string, where: ListenOptions): Promise<Listener> {
    cluster.setupPrimary({ serialization: 'advanced' });
    const { count, tell } = this.#settings;
    const close = (): Promise<void> => this.#stop();
    try {
      const place = await this.#start(title, where);
      // With the same options: workers that ask for port 0 share one free port.
      await Promise.all(Array.from({ length: count - 1 }, () => this.#start(title, where)));
      this.#look = setInterval(() => void this.#synchronize(), lookMs);
      this.#startNext = () => {
        this.#start(title, where).then(
          // If all workers end at once, port 0 is another one afterwards.
          ({ url }) => url === place.url || tell(`The mock listens on ${url} now.`),
          // The end of a worker is handled in any case.
          () => undefined,
        );
      };
      return { ...place, close, [Symbol.asyncDispose]: close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** Starts another worker at the same address; undefined until all listen. */
  #startNext: (() => void) | undefined;

  /** Runs a change of the mock. */
  async around<T>(change: () => Promise<T>): Promise<T> {
    this.#changes += 1;
    try {
      await this.#synchronize();
      return await change();
    } finally {
      this.#changes -= 1;
      await this.#settle();
    }
  }

  /** Starts a worker, and resolves when it listens. */
  #start(title: string, where: ListenOptions): Promise<Place> {
    const worker = cluster.fork();
    this.#running.add(worker);
    closeUntaken(worker);
    // A worker that was killed takes no messages.
    worker.on('error', () => undefined);
    return new Promise((resolve, reject) => {
      let problem: ClocheError | undefined;
      worker.on('message', (message: MessageFromWorker) => {
        if (message.kind === 'ready') this.#welcome(worker, title, where);
        else if (message.kind === 'listening') resolve(message.place);
        else if (message.kind === 'unusable')
          problem = new ClocheError(message.problem.code, message.problem);
        else this.#receive(worker, message);
      });
      worker.on('exit', (code, signal) => {
        const confirmations = this.#members.get(worker);
        this.#members.delete(worker);
        this.#running.delete(worker);
        confirmations?.forEach((confirm) => confirm());
        const end = this.#hung.has(worker)
          ? `it did not answer for ${followsWithinMs / 1000} seconds`
          : `it ended with ${signal || `exit code ${code}`}`;
        const reason = problem?.message ?? end;
        reject(problem ?? new Error(`A worker did not start: ${reason}.`));
        if (!this.#isStopping && this.#startNext !== undefined) this.#replace(reason);
      });
    });
  }

  /** Gives a new worker the state of the mock. */
  #welcome(worker: Worker, title: string, where: ListenOptions): void {
    const { shared, store } = this.#settings;
    const { tokens, cors, validate, control, dataCount, seed = 1, data } = shared.options;
    const options = {
      ...(tokens && { tokens }),
      ...(cors !== undefined && { cors }),
      ...(validate && { validate }),
      ...(control !== undefined && { control }),
      ...(dataCount !== undefined && { dataCount }),
      // The primary has stored the data.
      ...(data !== undefined && { data: 'none' as const }),
      seed,
      store,
    };
    send(worker, { kind: 'start', title, where, options, tokens: shared.issued.entries() });
    this.#members.set(worker, new Map());
    const state = this.#describe();
    this.#sent ??= state;
    send(worker, { kind: 'state', id: 0, state, tokens: [] });
  }

  #replace(reason: string): void {
    const { fail, tell, count } = this.#settings;
    const now = performance.now();
    this.#ends = [...this.#ends.filter((at) => now - at < endsWithinMs), now];
    if (this.#ends.length < mostEnds) {
      tell(`A worker was started again: ${reason}.`);
      this.#startNext?.();
      return;
    }
    fail(
      new ClocheError('INTERNAL', {
        attempt: 'run the mock with',
        subject: `--workers ${count}`,
        reason: `${mostEnds} workers ended within ${endsWithinMs / 1000} seconds, the last one: ${reason}`,
        remedy: 'Start it without --workers, which shows the cause if it is not the system',
      }),
    );
  }

  #receive(worker: Worker, message: MessageFromWorker): void {
    if (message.kind === 'done') {
      this.#members.get(worker)?.get(message.id)?.();
    } else if (message.kind === 'log') {
      this.#entries.push(...message.entries);
      this.#timer ??= setTimeout(() => this.#writeLog(), sortedWithinMs);
    } else if (message.kind === 'warning') {
      // The workers report the same about their store.
      if (message.sentence !== this.#lastWarning) this.#settings.tell(message.sentence);
      this.#lastWarning = message.sentence;
    } else if (message.kind === 'request') {
      const { id, request } = message;
      this.#answer(request).then(
        (answer) => send(worker, { kind: 'answer', id, answer: answer && toSentAnswer(answer) }),
        (error: unknown) => {
          const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
          send(worker, { kind: 'failure', id, reason });
        },
      );
    }
  }

  /** Answers a request of a worker, after all workers follow the changes that it made. */
  async #answer({
    call,
    head: sent,
    content,
    reach = 'network',
  }: LeftRequest): Promise<MockResponse | undefined> {
    const { responder } = this.#settings;
    const head = toHead(sent);
    if (call === 'respond') {
      this.#writeLog();
      const answer = await answerReceived(responder, responder.receive(head), content);
      await this.#settle();
      return answer;
    }
    const { mounted } = responder;
    if (call === 'refuse-control') return mounted?.refuse({ head, reach });
    const act = async () => mounted?.answer({ head, content, reach });
    if (head.method !== 'GET' && head.method !== 'HEAD') return this.around(act);
    await this.#synchronize();
    return act();
  }

  #describe(): SharedState {
    const { shared, responder } = this.#settings;
    const { clock, faults, handlers } = shared;
    const prepared = shared.prepared();
    if (prepared !== this.#prepared) {
      if (prepared.contract !== this.#prepared?.contract) this.#document = fingerprintOf(prepared.contract);
      this.#prepared = prepared;
      this.#revision += 1;
    }
    const { policy } = prepared.mockContext;
    const limits = [policy, ...Object.values(policy.operations ?? {})].map(
      (each) => each['rate-limit'] ?? 'none',
    );
    return {
      revision: this.#revision,
      document: this.#document,
      answers: prepared.answers,
      filled: prepared.filled,
      contentLimit: responder.contentLimit,
      // Only one process can count the requests of rules and limits.
      takesAll: this.#changes > 0 || !faults.isEmpty() || limits.some((limit) => limit !== 'none'),
      handled: handlers.list(),
      clock: readClock(clock),
    };
  }

  /** Resolves when all workers follow the state and have sent their log, which is then complete. */
  #synchronize(): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const state = this.#describe();
    const tokens = this.#tokens;
    this.#tokens = [];
    this.#sent = state;
    const confirmations = [...this.#members].map(
      ([worker, waiting]) =>
        new Promise<void>((resolve) => {
          const timer = setTimeout(() => {
            this.#hung.add(worker);
            worker.process.kill('SIGKILL');
          }, followsWithinMs);
          waiting.set(id, () => {
            clearTimeout(timer);
            waiting.delete(id);
            resolve();
          });
          send(worker, { kind: 'state', id, state, tokens });
        }),
    );
    this.#confirmed = Promise.all(confirmations).then(() => this.#writeLog());
    return this.#confirmed;
  }

  /** Resolves when all workers follow the state. */
  #settle(): Promise<unknown> {
    const isSent = this.#tokens.length === 0 && isDeepStrictEqual(this.#describe(), this.#sent);
    return isSent ? this.#confirmed : this.#synchronize();
  }

  /** Writes the entries of the workers to the log, in the order of their responses. */
  #writeLog(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = this.#entries.toSorted((left, right) => left.at - right.at);
    this.#entries = [];
    const { addToLog } = this.#settings.shared.prepared().mockContext;
    for (const entry of entries) addToLog?.(fromLogEntry(entry));
  }

  async #stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#look);
    await Promise.all(
      [...this.#running].map((worker) => {
        const ended = new Promise((resolve) => worker.once('exit', resolve));
        const kill = (): boolean => worker.process.kill('SIGKILL');
        if (this.#members.has(worker)) send(worker, { kind: 'stop' });
        else kill();
        const timer = setTimeout(kill, stopsWithinMs);
        return ended.then(() => clearTimeout(timer));
      }),
    );
    this.#writeLog();
  }
}

/**
 * Closes the connection that a worker was given last if the worker ends without taking it. node:cluster keeps such a
 * connection open, so that its client would wait for ever. A worker gets the next one only when it took the last.
 */
function closeUntaken({ process: child }: Worker): void {
  let given: { readonly close: () => void } | undefined;
  const sendToChild = child.send.bind(child);
  // `as`: it has the overloads of the function that it calls.
  child.send = ((...sent: Parameters<typeof sendToChild>) => {
    const [, handle] = sent;
    // `as`: node:cluster gives a worker nothing but handles of connections, which have this method.
    if (typeof handle === 'object') given = handle as unknown as typeof given;
    return sendToChild(...sent);
  }) as typeof child.send;
  child.once('exit', () => {
    // The handle of a connection that was taken is closed, and closing it again does nothing.
    given?.close();
  });
}

function send(worker: Worker, message: MessageToWorker): void {
  // A worker that ended needs no message, and the next one gets the whole state.
  if (worker.isConnected()) worker.send(message, () => undefined);
}
