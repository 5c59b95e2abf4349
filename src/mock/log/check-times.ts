import { checkOptionNames } from '../../errors/check-option-names.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import type { Times } from './request-log.ts';

/**
 * Looks whether it says how often something is expected: what is passed over, as `atleast`, would verify anything, and
 * what contradicts itself nothing.
 *
 * @throws ClocheError OPTION_INVALID where it does not
 */
export function checkTimes(times: Times): void {
  if (typeof times === 'object') {
    checkOptionNames(times, { names: ['atLeast', 'atMost'], attempt: 'expect requests' });
  }
  const counts: readonly unknown[] = typeof times === 'object' ? [times.atLeast, times.atMost] : [times];
  const wrong = counts.find(
    (count) =>
      count !== undefined && !(Number(count) >= 0 && (Number.isInteger(count) || count === Infinity)),
  );
  if (wrong !== undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'expect requests so many times',
      subject: typeof wrong === 'number' ? String(wrong) : JSON.stringify(wrong),
      reason: 'it is no whole number from 0 on',
      remedy: 'Write a number, as 1, or { atLeast: 1, atMost: 3 }',
    });
  }
  const { atLeast = 0, atMost = Infinity } = typeof times === 'object' ? times : {};
  if (atLeast > atMost) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'expect requests so many times',
      subject: `at least ${atLeast}, at most ${atMost}`,
      reason: 'nothing comes both as often and as seldom',
      remedy: 'Write the smaller number as atLeast',
    });
  }
}
