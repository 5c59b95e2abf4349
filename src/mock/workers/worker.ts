import { findIdempotencyKey } from '../../contract/idempotency-key.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { operationOf } from '../../contract/router.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { isSafeMethod } from '../../http/message.ts';
import { createMockClock } from '../clock.ts';
import { buildControlContract } from '../control/document.ts';
import { controlPrefix, mostControlBytes } from '../control/operation.ts';
import { FaultMatcher } from '../faults/fault-rules.ts';
import { acceptIssuedTokens } from '../handlers/issued-tokens.ts';
import type { MockResponse, RequestHead } from '../message.ts';
import { type MockContext, type PreparedOperation, unchecked } from '../mock-context.ts';
import { createPreparer } from '../reload.ts';
import { IssuedTokens } from '../request/issued-tokens.ts';
import { type AcceptedHead, createResponder, noRoute, type Responder } from '../responder.ts';
import { createSampling } from '../sampler.ts';
import { listen } from '../server/server.ts';
import { parseStoreUrl } from '../store/driver.ts';
import { openStore } from '../store/open-store.ts';
import {
  fingerprintOf,
  type LeftRequest,
  type MessageFromWorker,
  type MessageToWorker,
  setClock,
  type SharedState,
  toLeftHead,
  toLogEntry,
  type WorkerLogEntry,
  type WorkerStart,
} from './worker-message.ts';

/** The maximum number of log entries on their way to the primary; further requests wait. */
const mostEntries = 4096;

/** The connection of a worker to the primary. */
class PrimaryLink {
  readonly #calls = new Map<number, (answer: MockResponse | undefined, failure?: string) => void>();
  #lastCall = 0;
  #entries: WorkerLogEntry[] = [];
  #underWay = 0;
  #waiting: (() => void)[] = [];

  send(message: MessageFromWorker, sent: () => void = () => undefined): void {
    // The primary may have ended; Node then ends this process.
    process.send?.(message, undefined, {}, sent);
  }

  /** Leaves a request to the primary. */
  leave(
    call: LeftRequest['call'],
    head: RequestHead,
    more: Omit<LeftRequest, 'call' | 'head'>,
  ): Promise<MockResponse | undefined> {
    const request = { call, head: toLeftHead(head), ...more };
    this.#lastCall += 1;
    const id = this.#lastCall;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, (answer, failure) =>
        failure === undefined ? resolve(answer) : reject(new Error(failure)),
      );
      this.send({ kind: 'request', id, request });
    });
  }

  /** Leaves a request that has an answer in any case. */
  async leaveWhole(...request: Parameters<PrimaryLink['leave']>): Promise<MockResponse> {
    const answer = await this.leave(...request);
    if (answer === undefined) throw new Error('The primary has no control interface.');
    return answer;
  }

  /** Ends a call with the answer of the primary. */
  end(id: number, answer: MockResponse | undefined, failure?: string): void {
    this.#calls.get(id)?.(answer, failure);
    this.#calls.delete(id);
  }

  /** Sends an entry of the log to the primary, with the others of the same turn of the event loop. */
  log(entry: WorkerLogEntry): void {
    if (this.#entries.length === 0) setImmediate(() => this.flush());
    this.#entries.push(entry);
  }

  /** Sends the entries of the log now. */
  flush(): void {
    const entries = this.#entries;
    if (entries.length === 0) return;
    this.#entries = [];
    this.#underWay += entries.length;
    this.send({ kind: 'log', entries }, () => {
      this.#underWay -= entries.length;
      if (this.#underWay < mostEntries) this.#waiting.splice(0).forEach((goOn) => goOn());
    });
  }

  /** Resolves when the primary keeps up with the log; undefined if it does now. */
  whenRead(): Promise<void> | undefined {
    if (this.#underWay < mostEntries) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** Returns whether the primary answers a request to an operation, because only it has the state for that. */
type IsLeft = (head: RequestHead) => boolean;

/** Creates the function that finds the operations that the primary answers: logins, handlers, callbacks and repeats. */
function createChoice(
  { contract }: MockContext,
  { handled }: SharedState,
  issued: IssuedTokens,
): (operation: Operation) => IsLeft {
  const known = new Map<Operation, IsLeft>();
  const declared = new Set(contract.operations);
  function decide(operation: Operation): IsLeft {
    const isLeft =
      // The endpoints of the authorization server are not operations of the document.
      !declared.has(operation) ||
      handled.includes(operation.id) ||
      operation.callbacks !== undefined ||
      acceptIssuedTokens(operation, contract.operations, issued) !== undefined;
    const field = isSafeMethod(operation.method) ? undefined : findIdempotencyKey(operation)?.name;
    if (isLeft || field === undefined) return () => isLeft;
    return (head) => head.header(field.toLowerCase()) !== undefined;
  }
  return (operation) => {
    const found = known.get(operation) ?? decide(operation);
    known.set(operation, found);
    return found;
  };
}

/** The responder of a worker, and the function with which it follows the state of the mock. */
interface WorkerResponder {
  readonly responder: Responder;
  readonly follow: (state: SharedState) => void;
}

/** Opens the parts of a worker that stay when the mock changes. */
async function openParts({ title, options, tokens }: WorkerStart, link: PrimaryLink) {
  const clock = createMockClock();
  const issued = new IssuedTokens(clock.now);
  for (const [token, facts] of tokens) issued.add(token, facts);
  const url = parseStoreUrl(options.store, title);
  if (url.kind === 'memory') throw new Error('Workers need a store that they can share.');
  const warn = (sentence: string): void => link.send({ kind: 'warning', sentence });
  const { store, close } = await openStore(url, warn);
  const prepare = createPreparer({
    options,
    store,
    faults: new FaultMatcher({ seed: options.seed, operations: () => [], rules: [] }),
    clock,
    record: (raw) => {
      const { id: _id, context: _context, ...request } = raw;
      link.log(toLogEntry(Number(process.hrtime.bigint()), request));
    },
    sampling: createSampling(options.seed, clock),
    issued,
  });
  return { clock, issued, prepare, warn, close };
}

/** Creates the responder of a worker. It leaves all requests to the primary until it has read the document. */
async function createWorkerResponder(
  message: WorkerStart,
  { link, open }: { readonly link: PrimaryLink; readonly open: () => Promise<Contract> },
): Promise<WorkerResponder & { readonly issued: IssuedTokens; readonly close: () => Promise<void> }> {
  const { clock, issued, prepare, warn, close } = await openParts(message, link);
  let contract = buildControlContract();
  let document: string | undefined;
  let prepared = prepare({ contract, answers: {}, filled: [], prepareRecording: undefined }).mockContext;
  let revision: number | undefined;
  /** The last revision that was prepared, or could not be. */
  let tried: number | undefined;
  let state: SharedState | undefined;
  let choose =
    (_operation: Operation): IsLeft =>
    () =>
      true;
  const local = createResponder(prepared);

  /** Prepares the contract and the policy of a state. A document that changed in the meantime is not used. */
  async function prepareFor(next: SharedState): Promise<void> {
    if (document !== next.document) {
      contract = await open();
      document = fingerprintOf(contract);
      if (document !== next.document) throw new Error('it changed after the mock read it');
    }
    if (state?.revision !== next.revision) return;
    const { answers, filled } = next;
    prepared = prepare({ contract, answers, filled, prepareRecording: undefined }).mockContext;
    local.change(prepared);
    ({ revision } = next);
    choose = createChoice(prepared, state, issued);
  }

  const left: PreparedOperation = {
    ...unchecked,
    limiter: undefined,
    refuse: prepared.refuse,
    handle: ({ head, bytes }) => link.leaveWhole('respond', head, { content: bytes }),
  };
  const toLeft = (head: RequestHead): AcceptedHead => {
    const rest = { begun: 0, path: '', route: noRoute, injectedFault: undefined };
    return { kind: 'accepted', head, mockContext: prepared, operation: left, ...rest };
  };
  function isLeft({ operation, route, head }: AcceptedHead): boolean {
    const found = operation === left ? undefined : operationOf(route, head.method);
    return found === undefined || choose(found)(head);
  }

  const responder: Responder = {
    ...local,
    mounted:
      message.options.control === false
        ? undefined
        : {
            prefix: controlPrefix,
            contentLimit: mostControlBytes,
            refuse: ({ head, reach }) => link.leave('refuse-control', head, { reach }),
            answer: ({ head, content, reach }) => link.leaveWhole('control', head, { content, reach }),
          },
    get contentLimit() {
      return state?.contentLimit ?? local.contentLimit;
    },
    receive(head) {
      const isFollowing = state !== undefined && state.revision === revision && !state.takesAll;
      return isFollowing && prepared.faultInjector?.applies(head) !== true
        ? local.receive(head)
        : toLeft(head);
    },
    respond(accepted, content) {
      if (isLeft(accepted)) return link.leaveWhole('respond', accepted.head, { content });
      const wait = link.whenRead();
      return wait === undefined
        ? local.respond(accepted, content)
        : wait.then(() => local.respond(accepted, content));
    },
  };

  return {
    responder,
    issued,
    close,
    follow(next) {
      setClock(clock, next.clock);
      state = next;
      choose = createChoice(prepared, next, issued);
      if (next.revision === tried) return;
      tried = next.revision;
      prepareFor(next).catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        warn(`A worker leaves its requests to the main process, as it cannot use the document: ${reason}`);
      });
    },
  };
}

/**
 * Answers requests as a worker of a mock until the primary stops it.
 *
 * @param open - reads the document, as the primary did
 */
export function runWorker(open: () => Promise<Contract>): Promise<void> {
  const link = new PrimaryLink();
  // The primary decides when its workers stop.
  process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined);

  async function start(message: WorkerStart) {
    const made = await createWorkerResponder(message, { link, open });
    const { url, isOpenToOthers, certificate, close } = await listen(made.responder, message.where);
    link.send({ kind: 'listening', place: { url, isOpenToOthers, certificate } });
    return { ...made, stop: close };
  }

  return new Promise(() => {
    let started: ReturnType<typeof start> | undefined;
    async function receive(message: MessageToWorker): Promise<void> {
      if (message.kind === 'start') {
        started = start(message);
        await started;
      } else if (message.kind === 'answer') {
        link.end(message.id, message.answer);
      } else if (message.kind === 'failure') {
        link.end(message.id, undefined, message.reason);
      } else {
        const worker = await started;
        if (message.kind === 'state') {
          for (const [token, facts] of message.tokens) worker?.issued.add(token, facts);
          worker?.follow(message.state);
          link.flush();
          link.send({ kind: 'done', id: message.id });
        } else {
          await worker?.stop();
          await worker?.close();
          link.flush();
          link.send({ kind: 'done', id: 0 }, () => process.exit());
        }
      }
    }
    process.on('message', (message: MessageToWorker) => {
      receive(message).catch((error: unknown) => endWith(link, error));
    });
    link.send({ kind: 'ready' });
  });
}

/** Ends the process after an error, which the primary reports. */
function endWith(link: PrimaryLink, error: unknown): void {
  const { code, attempt, subject, reason, remedy } =
    error instanceof ClocheError
      ? error
      : new ClocheError('INTERNAL', {
          attempt: 'start',
          subject: 'a worker',
          reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
          remedy: 'Report this, with the command and the document',
        });
  link.send({ kind: 'unusable', problem: { code, attempt, subject, reason, remedy } }, () => process.exit(1));
}
