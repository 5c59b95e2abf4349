import { ClocheError } from '../errors/cloche-error.ts';
import type { MaybePromise } from './message.ts';

/** Not a timer: a test of whoever uses a mock may have stopped those. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener(
      'message',
      () => {
        // An open one would keep the process.
        port1.close();
        resolve();
      },
      { once: true },
    );
    port1.start();
    port2.postMessage(undefined);
  });
}

/** A longer text, in characters, takes a good part of the time that a turn of the event loop may take. */
const longText = 65_536;

/**
 * Goes on with work on a text: at once, or in the next turn of the event loop if the text is long, so that other requests
 * do not wait for the whole work.
 *
 * @param characters - the length of the text
 */
export function inNextTurn<T>(characters: number, goOn: () => MaybePromise<T>): MaybePromise<T> {
  return characters > longText ? nextTask().then(goOn) : goOn();
}

/** How long many things are gone through before requests have their turn, in milliseconds. */
const longestSlice = 10;

/** Creates a function to call for each item of a long loop: now and then it waits for a turn of the event loop. */
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

/** The time of a mock: rate limits, the log and Date go by it. */
export interface MockClock {
  /** In milliseconds since 1970. */
  readonly now: () => number;
  readonly isFrozen: boolean;
  /** The time as the Date field has it (RFC 9110 §5.6.7); undefined where it is the machine's, which servers write by themselves. */
  readonly date: () => string | undefined;
  /** Goes on from this time, or stands at it where the clock is frozen. */
  readonly set: (time: number) => void;
  /** Goes on from so many milliseconds later. */
  readonly advance: (ms: number) => void;
  /** Stands still, or goes on from where it stands. */
  readonly freeze: (isFrozen: boolean) => void;
  /** Goes as it went at the start. */
  readonly reset: () => void;
}

/** The times that a Date can hold (ECMA-262 §21.4.1.1), in milliseconds. */
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
 * A clock that can be set, advanced and stopped.
 *
 * @param given - gives milliseconds since 1970; the machine's clock where it is left out
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
