import { ClocheError } from '../errors/cloche-error.ts';

const largest = 2 ** 31 - 1;
/** Room for the keys of a run of usual length. */
const usualSize = 1_000_000;

/**
 * The keys that a run may use: as `--ids FROM-TO` says; from 1 in process; from a random number on for a
 * live store, which keeps what earlier runs created.
 *
 * @throws ClocheError OPTION_INVALID where the text is no such range
 */
export function parseKeyRange(ids: string | undefined, isLive: boolean): readonly [from: number, to: number] {
  if (ids === undefined) {
    const from = isLive ? 1_000_000 + Math.floor(Math.random() * (largest - 3 * usualSize)) : 1;
    return [from, from + usualSize - 1];
  }
  const [, first, last] = /^(\d{1,10})-(\d{1,10})$/u.exec(ids) ?? [];
  const from = Number(first);
  const to = Number(last);
  if (first === undefined || last === undefined || from < 1 || to > largest || from > to) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: `--ids ${ids}`,
      reason: `it takes two numbers from 1 to ${largest}, the smaller one first`,
      remedy: 'Give a range, as in --ids 1000-500000',
    });
  }
  return [from, to];
}
