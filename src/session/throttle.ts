import { ClocheError } from '../errors/cloche-error.ts';
import { abortListeners } from '../http/abort.ts';
import { nextTask } from '../http/next-task.ts';
import { type Answer, headerValue, type HttpRequest, type Send } from '../http/message.ts';

/** Creates the error for a service that cannot be tested: the run stops instead of reporting a hundred findings. */
export function cannotJudge(target: string, reason: string, remedy: string): ClocheError {
  return new ClocheError('CANNOT_JUDGE', { attempt: 'judge', subject: target, reason, remedy });
}

/**
 * Runs tasks in order, up to `atOnce` concurrently. After a failure or a stop, no further task starts. Two tasks of one
 * exclusive group never run concurrently.
 * @throws the error of the first task that failed, after the running tasks have ended
 */
export async function runSideBySide<Task>(input: {
  readonly tasks: readonly Task[];
  readonly atOnce: number;
  readonly isStopped: () => boolean;
  readonly run: (task: Task) => Promise<void>;
  /** @defaultValue no task has one */
  readonly groupOf?: (task: Task) => string | undefined;
}): Promise<void> {
  const { tasks, atOnce, isStopped, run, groupOf } = input;
  const queue = [...tasks];
  const busy = new Set<string | undefined>();
  let failure: Error | undefined;

  function takeNext(): Task | undefined {
    const index = queue.findIndex((task) => !busy.has(groupOf?.(task)));
    return index < 0 ? undefined : queue.splice(index, 1)[0];
  }

  async function work(): Promise<void> {
    // A worker that finds all groups busy can end, because each group has a worker.
    for (let next = takeNext(); next !== undefined; next = takeNext()) {
      if (isStopped() || failure !== undefined) return;
      const group = groupOf?.(next);
      if (group !== undefined) busy.add(group);
      try {
        await run(next);
      } catch (error) {
        failure ??= error instanceof Error ? error : new Error(String(error));
      }
      if (group !== undefined) busy.delete(group);
    }
  }

  await Promise.all(Array.from({ length: Math.min(atOnce, tasks.length) }, work));
  if (failure !== undefined) throw failure;
}

/** Options of the throttle. */
export interface Politeness {
  readonly target: string;
  /** Maximum requests per second; undefined is no limit. */
  readonly rate: number | undefined;
  /** The total time to wait because of 429 and 503, in milliseconds. */
  readonly rateWaitMs: number;
  readonly onWait: (status: number, ms: number) => void;
  /** Returns the operation of a request, which may have a separate limit. @defaultValue all share one limit */
  readonly operationOf?: (request: HttpRequest) => string | undefined;
  /** Creates the error for an operation that returns 429 for too long while others succeed. */
  readonly giveUp?: (operation: string, reason: string) => Error;
  /** The time, in milliseconds since 1970. @defaultValue Date.now */
  readonly clock?: () => number;
  /** Waits this number of milliseconds of that clock. @defaultValue a timer */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

const firstPauseMs = 250;
const longestPauseMs = 5_000;
/** The number of immediate retries if the service requests no pause. */
const mostAtOnce = 2;

/** The number of requests between two turns of the event loop. */
const requestsPerTurn = 50;

/**
 * Creates a function to call before each request. At intervals all requests wait for a turn of the event loop: without
 * one, a service inside the process answers at once, and no signal and no timer could end the run. The interval counts
 * requests, because a time would change their order.
 */
function createTurns(): () => Promise<void> | undefined {
  let started = 0;
  let turn: Promise<void> | undefined;
  return () => {
    started += 1;
    if (started % requestsPerTurn === 0) {
      turn ??= nextTask().then(() => void (turn = undefined));
    }
    return turn;
  };
}

/** Waits this number of milliseconds, or until the signal. */
export function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    if (signal !== undefined) abortListeners(signal).add(end);
    function end(): void {
      clearTimeout(timer);
      if (signal !== undefined) abortListeners(signal).delete(end);
      resolve();
    }
    if (signal?.aborted === true) {
      end();
    }
  });
}

function pauseAskedFor(answer: Answer, now: number): number | undefined {
  const value = answer.kind === 'response' ? headerValue(answer.response.headers, 'retry-after') : undefined;
  if (value === undefined) return undefined;
  const ms = /^\d+$/u.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** A limit that the service enforces. */
interface Limit {
  /** The time of the next permitted request, in milliseconds since 1970. */
  openAt: number;
  /** The total time waited for it, in milliseconds. */
  waited: number;
}

/**
 * Creates a throttle. All sends that it wraps share one rate and wait when the service requires it. Requests with 429
 * or 503 are sent again, after the time in Retry-After or with backoff (RFC 9110 §10.2.3). While other operations
 * succeed, a 429 delays only its operation. Otherwise all requests wait. `waits` is whether a send waits at 429, which
 * may be the response to bad credentials.
 * @throws ClocheError CANNOT_JUDGE if the service still rejects requests after that time, and the error of `giveUp` if
 * only one operation does
 */
export function createThrottle(
  politeness: Politeness,
): (send: Send, how: { readonly waits: boolean }) => Send {
  const { rate, rateWaitMs, target, operationOf, giveUp, clock = Date.now, sleep = waitFor } = politeness;
  const shared: Limit = { openAt: 0, waited: 0 };
  const own = new Map<string, Limit>();
  const givenUp = new Map<string, Error>();
  const answered = new Set<string>();
  const nextTurn = createTurns();
  let nextSlot = 0;

  function openAt(operation: string): number {
    return Math.max(shared.openAt, own.get(operation)?.openAt ?? 0);
  }

  /** Returns the limit that a request exceeded: that of its operation, if the limit is known to be separate. */
  function findLimit(status: number, operation: string): Limit {
    const isOther = (id: string): boolean => id !== operation;
    const areOthersOpen = [...own].every(([id, limit]) => !isOther(id) || limit.openAt <= clock());
    if (status !== 429 || !areOthersOpen || ![...answered].some(isOther)) return shared;
    const limit = own.get(operation) ?? { openAt: 0, waited: 0 };
    own.set(operation, limit);
    return limit;
  }

  async function takeTurn(operation: string, signal: AbortSignal | undefined): Promise<void> {
    const isOver = (): boolean => signal?.aborted === true;
    // The service may require a pause while a request waits for its slot. Then it uses another slot.
    do {
      while (openAt(operation) > clock() && !isOver()) await sleep(openAt(operation) - clock(), signal);
      if (rate !== undefined) {
        const now = clock();
        const slot = Math.max(now, nextSlot);
        nextSlot = slot + 1_000 / rate;
        if (slot > now) await sleep(slot - now, signal);
      }
    } while (openAt(operation) > clock() && !isOver());
  }

  function whyEnded(status: number, operation: string, limit: Limit): Error {
    const reason = `it still answers ${status} after ${Math.round(limit.waited / 1_000)} s of waiting`;
    if (limit === shared || giveUp === undefined) {
      const remedy = 'Slow the run down with --rate or --connections, or wait longer with --rate-wait';
      return cannotJudge(target, reason, remedy);
    }
    const error = givenUp.get(operation) ?? giveUp(operation, reason);
    givenUp.set(operation, error);
    return error;
  }

  return (send, { waits }) =>
    async (request, options) => {
      const operation = operationOf?.(request) ?? '';
      const turn = nextTurn();
      if (turn !== undefined) await turn;
      for (let attempt = 0; ; attempt += 1) {
        if (rate !== undefined || openAt(operation) > clock()) {
          await takeTurn(operation, options?.signal);
        }
        const error = waits ? givenUp.get(operation) : undefined;
        if (error !== undefined) throw error;
        const answer = await send(request, options);
        const status = answer.kind === 'response' ? answer.response.status : 0;
        if ((status !== 429 || !waits) && status !== 503) {
          answered.add(operation);
          return answer;
        }
        if (options?.signal?.aborted === true) return answer;
        const asked = pauseAskedFor(answer, clock());
        // Repeated pauses of zero still cause backoff.
        const wait = asked === undefined ? attempt : attempt - mostAtOnce;
        const backOff = wait < 0 ? 0 : Math.min(firstPauseMs * 2 ** wait, longestPauseMs);
        const pause = Math.max(asked ?? 0, backOff);
        const limit = findLimit(status, operation);
        if (limit.waited + pause > rateWaitMs) throw whyEnded(status, operation, limit);
        if (pause > 0 && limit.openAt < clock() + pause) {
          limit.waited += pause;
          limit.openAt = clock() + pause;
          politeness.onWait(status, pause);
        }
      }
    };
}
