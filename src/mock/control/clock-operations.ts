import { toPlainNumbers } from '../../json/exact-number.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import type { MockClock } from '../clock.ts';
import type { ShownClock } from './calls.ts';
import { ok, type OperationsAt } from './operation.ts';

/** The range of RFC 3339 §5.6, whose years have four digits, in milliseconds since 1970. */
const earliest = Date.parse('0000-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** The operations on the clock. */
export const clockOperations: OperationsAt<'/clock'> = {
  getClock: (_request, { mock }) => ok(describeClock(mock.clock)),
  putClock: ({ body: { now, frozen } }, { mock: { clock } }) => {
    const time = now === undefined ? undefined : readTime(now);
    if (frozen !== undefined) clock.freeze(frozen);
    if (time !== undefined) clock.set(time);
    return ok(describeClock(clock));
  },
  advanceClock: ({ body }, { mock: { clock } }) => {
    const { ms } = toPlainNumbers(body);
    const time = clock.now() + ms;
    if (time < earliest || time > latest) {
      const reason = 'it is no time of the years 0 to 9999, which a date-time can name';
      throw cannotSet(String(time), reason, 'Advance it by less');
    }
    clock.advance(ms);
    return ok(describeClock(clock));
  },
};

/** Describes the clock. A time outside the range of a date-time is shown as the nearest inside. */
function describeClock(clock: MockClock): ShownClock {
  const now = Math.min(Math.max(clock.now(), earliest), latest);
  return { now: new Date(now).toISOString(), frozen: clock.isFrozen };
}

/** Parses a time; a leap second, which a Date cannot hold, becomes the second after it. */
function readTime(text: string): number {
  const time = Date.parse(text.replace(/:60(\.\d+)?/u, ':59$1'));
  if (Number.isNaN(time)) {
    const reason = 'it is no date and time that a calendar has';
    throw cannotSet(text, reason, 'Give one such as 2026-03-01T08:00:00Z');
  }
  return time;
}

function cannotSet(subject: string, reason: string, remedy: string): ClocheError {
  return new ClocheError('OPTION_INVALID', { attempt: 'set the clock to', subject, reason, remedy });
}
