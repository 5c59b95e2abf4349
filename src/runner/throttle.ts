import { ClocheError } from '../errors/cloche-error.ts';
import { abortListeners } from '../http/abort.ts';
import { type Answer, headerValue, type Send } from '../http/message.ts';

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

/**
 * Makes what wraps sends so that they keep to a rate together, and wait where the service asks them to: 429 and 503
 * are sent again, after what Retry-After says or backing off (RFC 9110 §10.2.3), and every other request waits too.
 * The returned function takes a send, and whether it waits at 429: that may be the answer to bad credentials.
 * @throws ClocheError CANNOT_JUDGE where the service still puts requests off after all that time
 */
export function createThrottle(
  politeness: Politeness,
): (send: Send, how: { readonly waits: boolean }) => Send {
  const { rate, rateWaitMs, target, clock = Date.now, sleep = waitFor } = politeness;
  let waited = 0;
  let openAt = 0;
  let nextSlot = 0;

  async function takeTurn(signal: AbortSignal | undefined): Promise<void> {
    const isOver = (): boolean => signal?.aborted === true;
    // The service may ask for a pause while a request waits for its slot: it takes another one then.
    do {
      while (openAt > clock() && !isOver()) await sleep(openAt - clock(), signal);
      if (rate !== undefined) {
        const now = clock();
        const slot = Math.max(now, nextSlot);
        nextSlot = slot + 1_000 / rate;
        if (slot > now) await sleep(slot - now, signal);
      }
    } while (openAt > clock() && !isOver());
  }

  return (send, { waits }) =>
    async (request, options) => {
      for (let attempt = 0; ; attempt += 1) {
        if (rate !== undefined || openAt > clock()) {
          await takeTurn(options?.signal);
        }
        const answer = await send(request, options);
        const status = answer.kind === 'response' ? answer.response.status : 0;
        if ((status !== 429 || !waits) && status !== 503) return answer;
        if (options?.signal?.aborted === true) return answer;
        const asked = pauseAskedFor(answer, clock());
        // Who is put off by nothing again and again backs off no less.
        const own = asked === undefined ? attempt : attempt - mostAtOnce;
        const backOff = own < 0 ? 0 : Math.min(firstPauseMs * 2 ** own, longestPauseMs);
        const pause = Math.max(asked ?? 0, backOff);
        if (waited + pause > rateWaitMs) {
          throw cannotJudge(
            target,
            `it still answers ${status} after ${Math.round(waited / 1_000)} s of waiting`,
            'Slow the run down with --rate or --connections, or wait longer with --rate-wait',
          );
        }
        if (pause > 0 && openAt < clock() + pause) {
          waited += pause;
          openAt = clock() + pause;
          politeness.onWait(status, pause);
        }
      }
    };
}
