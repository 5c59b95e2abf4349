import { ClocheError } from '../errors/cloche-error.ts';
import { abortListeners } from '../http/abort.ts';
import { type Answer, headerValue, type HttpRequest, type Send } from '../http/message.ts';

/** The service cannot be judged: the run stops, and does not print a hundred findings. */
export function cannotJudge(target: string, reason: string, remedy: string): ClocheError {
  return new ClocheError('CANNOT_JUDGE', { attempt: 'judge', subject: target, reason, remedy });
}

/**
 * Runs tasks, so many at once, in order; after the first failure, or once stopped, no other is begun. No two of one lane
 * run at the same time.
 * @throws what the first task that failed threw, when those under way have ended
 */
export async function runSideBySide<Task>(input: {
  readonly tasks: readonly Task[];
  readonly atOnce: number;
  readonly isStopped: () => boolean;
  readonly run: (task: Task) => Promise<void>;
  /** @defaultValue no task has one */
  readonly laneOf?: (task: Task) => string | undefined;
}): Promise<void> {
  const { tasks, atOnce, isStopped, run, laneOf } = input;
  const queue = [...tasks];
  const busy = new Set<string | undefined>();
  let failure: Error | undefined;

  function takeNext(): Task | undefined {
    const index = queue.findIndex((task) => !busy.has(laneOf?.(task)));
    return index < 0 ? undefined : queue.splice(index, 1)[0];
  }

  async function work(): Promise<void> {
    // Whoever finds all lanes busy is not needed: there is a worker in each.
    for (let next = takeNext(); next !== undefined; next = takeNext()) {
      if (isStopped() || failure !== undefined) return;
      const lane = laneOf?.(next);
      if (lane !== undefined) busy.add(lane);
      try {
        await run(next);
      } catch (error) {
        failure ??= error instanceof Error ? error : new Error(String(error));
      }
      if (lane !== undefined) busy.delete(lane);
    }
  }

  await Promise.all(Array.from({ length: Math.min(atOnce, tasks.length) }, work));
  if (failure !== undefined) throw failure;
}

/** What a polite send does without, or with. */
interface Politeness {
  readonly target: string;
  /** Maximum requests per second; undefined is no limit. */
  readonly rate: number | undefined;
  /** How long 429 and 503 are waited for in all, in milliseconds. */
  readonly rateWaitMs: number;
  readonly onWait: (status: number, ms: number) => void;
  /** Returns the operation that a request is of, which may have a limit of its own. @defaultValue all share one limit */
  readonly operationOf?: (request: HttpRequest) => string | undefined;
  /** Makes the error for the requests of an operation that answers 429 for too long while others are answered. */
  readonly giveUp?: (operation: string, reason: string) => Error;
  /** The time, in milliseconds since 1970. @defaultValue Date.now */
  readonly clock?: () => number;
  /** Waits so many milliseconds of that clock. @defaultValue a timer */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

const firstPauseMs = 250;
const longestPauseMs = 5_000;
/** So many times a request is sent again at once where the service asks for no pause. */
const mostAtOnce = 2;

/** Waits so many milliseconds, or until the signal. */
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
  /** When it may be asked again, in milliseconds since 1970. */
  openAt: number;
  /** How long it was waited for in all, in milliseconds. */
  waited: number;
}

/**
 * Makes what wraps sends so that they keep to a rate together, and wait where the service asks them to: 429 and 503
 * are sent again, after what Retry-After says or backing off (RFC 9110 §10.2.3). While other operations are answered, a
 * 429 delays its own operation alone; else every other request waits too.
 * The returned function takes a send, and whether it waits at 429: that may be the answer to bad credentials.
 * @throws ClocheError CANNOT_JUDGE if the service still puts requests off after all that time, and what `giveUp` makes if only
 * one operation does
 */
export function createThrottle(
  politeness: Politeness,
): (send: Send, how: { readonly waits: boolean }) => Send {
  const { rate, rateWaitMs, target, operationOf, giveUp, clock = Date.now, sleep = waitFor } = politeness;
  const shared: Limit = { openAt: 0, waited: 0 };
  const own = new Map<string, Limit>();
  const givenUp = new Map<string, Error>();
  const answered = new Set<string>();
  let nextSlot = 0;

  function openAt(operation: string): number {
    return Math.max(shared.openAt, own.get(operation)?.openAt ?? 0);
  }

  /** The limit that a request ran into: of its operation alone, as far as is known. */
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
    // The service may ask for a pause while a request waits for its slot: it takes another one then.
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
        // Who is put off by nothing again and again backs off no less.
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
