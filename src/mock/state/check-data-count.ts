import { ClocheError } from '../../errors/cloche-error.ts';

/**
 * Checks how many rows are to be made up for each collection.
 *
 * @throws ClocheError OPTION_INVALID for what is no whole number from 0 on
 */
export function checkDataCount(count: number = 0): number {
  if (Number.isSafeInteger(count) && count >= 0) {
    return count;
  }
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'use as dataCount',
    subject: String(count),
    reason: 'it is no whole number from 0 on',
    remedy: 'Give the number of rows to make up for each collection, or leave it out for none',
  });
}
