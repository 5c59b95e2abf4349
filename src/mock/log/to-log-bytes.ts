import { ClocheError } from '../../errors/cloche-error.ts';

const usualBytes = 8 * 1024 * 1024;

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
    remedy: 'Leave it out for 8 MiB',
  });
}
