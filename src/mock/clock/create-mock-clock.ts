import { ClocheError } from '../../errors/cloche-error.ts';
import type { MockClock } from './mock-clock.ts';

/** The times that a Date can hold (ECMA-262 §21.4.1.1), in milliseconds. */
const latest = 8.64e15;

function check(time: number): number {
  if (Number.isFinite(time) && Math.abs(time) <= latest) {
    return time;
  }
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
 * @param source - milliseconds since 1970
 */
export function createMockClock(source: () => number): MockClock {
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
