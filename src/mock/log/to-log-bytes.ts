import { ClocheError } from '../../errors/cloche-error.ts';

/** Some two thousand plain requests. Each that stays is moved twice by the collector of garbage, so that more of them cost speed. */
const usualBytes = 1024 * 1024;

/**
 * How many bytes the request log may take.
 *
 * @throws ClocheError OPTION_INVALID for what is no whole number from 0 on
 */
export function toLogBytes(bytes: number = usualBytes): number {
  if (Number.isSafeInteger(bytes) && bytes >= 0) {
    return bytes;
  }
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'use as logBytes',
    subject: String(bytes),
    reason: 'it is no whole number of bytes from 0 on',
    remedy: 'Leave it out for 1 MiB',
  });
}
