import { ClocheError } from '../errors/cloche-error.ts';
import { nextTask } from '../http/next-task.ts';
import type { MaybePromise } from './message.ts';

/** The length, in characters, from which a text takes much of the time available to a turn of the event loop. */
const longText = 65_536;

/**
 * Continues work on a text: immediately, or in the next turn of the event loop if the text is long. Other requests then
 * do not wait for the whole work.
 *
 * @param characters - the length of the text
 */
export function inNextTurn<T>(characters: number, goOn: () => MaybePromise<T>): MaybePromise<T> {
  return characters > longText ? nextTask().then(goOn) : goOn();
}

/** The longest time, in milliseconds, that a loop runs before other requests are handled. */
const longestSlice = 10;

/** Creates a function to call for each item of a long loop: at intervals, it waits for a turn of the event loop. */
export function createEventLoopYield(every = 1000): () => Promise<void> | undefined {
  let since = 0;
  let began = performance.now();
  async function pause(): Promise<void> {
    since = 0;
    await nextTask();
    began = performance.now();
  }
  return () => {
    since += 1;
    return since >= every || performance.now() - began > longestSlice ? pause() : undefined;
  };
}

/** Delays of responses. */
export interface Delays {
  /** Continues after a delay, which may be infinite, or when all delays end. Returns a function that cancels it. */
  readonly wait: (ms: number, goOn: () => void) => () => void;
  /** Ends all delays, present and future. */
  readonly endAll: () => void;
}

/** Creates the delays of responses. */
export function createDelays(): Delays {
  const waiting = new Set<() => void>();
  let isOver = false;
  return {
    wait(ms, goOn) {
      const timer = isOver || ms < Infinity ? setTimeout(end, isOver ? 0 : ms) : undefined;
      function cancel(): void {
        clearTimeout(timer);
        waiting.delete(end);
      }
      function end(): void {
        cancel();
        goOn();
      }
      waiting.add(end);
      return cancel;
    },
    endAll() {
      isOver = true;
      // Each removes itself from the set; a set allows that during iteration.
      waiting.forEach((end) => end());
    },
  };
}

/** The clock of a mock. Rate limits, the log and the Date field use it. */
export interface MockClock {
  /** The time, in milliseconds since 1970. */
  readonly now: () => number;
  readonly isFrozen: boolean;
  /** The value of Date (RFC 9110 §5.6.7); undefined for the machine's time, which servers write themselves. */
  readonly date: () => string | undefined;
  /** Sets the time. A frozen clock stays frozen. */
  readonly set: (time: number) => void;
  /** Advances the clock by this number of milliseconds. */
  readonly advance: (ms: number) => void;
  /** Freezes the clock, or resumes it from the time at which it was frozen. */
  readonly freeze: (isFrozen: boolean) => void;
  /** Restores the clock of the start. */
  readonly reset: () => void;
}

/** The latest time that a Date can hold (ECMA-262 §21.4.1.1), in milliseconds; its negative is the earliest. */
const latest = 8.64e15;

function check(time: number): number {
  if (Number.isFinite(time) && Math.abs(time) <= latest) return time;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'set the clock to',
    subject: String(time),
    reason: 'it is no time that a Date can hold',
    remedy: 'Give milliseconds since 1970',
  });
}

/**
 * Creates a clock that can be set, advanced and frozen.
 *
 * @param given - returns milliseconds since 1970; by default, the clock of the machine
 */
export function createMockClock(given?: () => number): MockClock {
  const source = given ?? ((): number => Date.now());
  let offset = 0;
  let frozenAt: number | undefined;
  const now = (): number => frozenAt ?? source() + offset;
  function set(time: number): void {
    const checked = check(time);
    if (frozenAt === undefined) {
      offset = checked - source();
    } else {
      frozenAt = checked;
    }
  }
  return {
    now,
    get isFrozen() {
      return frozenAt !== undefined;
    },
    date() {
      const isMachines = given === undefined && offset === 0 && frozenAt === undefined;
      return isMachines ? undefined : new Date(now()).toUTCString();
    },
    set,
    advance(ms) {
      set(now() + ms);
    },
    freeze(isFrozen) {
      if (isFrozen) {
        frozenAt = now();
      } else if (frozenAt !== undefined) {
        offset = frozenAt - source();
        frozenAt = undefined;
      }
    },
    reset() {
      offset = 0;
      frozenAt = undefined;
    },
  };
}
