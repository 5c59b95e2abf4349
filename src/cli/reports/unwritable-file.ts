import { ClocheError } from '../../errors/cloche-error.ts';
import { errorCode } from '../../http/error-code.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is a file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be written',
  EPERM: 'it may not be written',
  EROFS: 'the disk may not be written',
  ENOSPC: 'the disk is full',
  EPIPE: 'nobody reads it any more',
};

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'Make the folder first, or name another file',
  ENOSPC: 'Free some room on it, or name another file',
  EPIPE: 'Read it to its end, or name a file',
};

/**
 * What is said of a file that cannot be written, with what Node says of it as the cause.
 *
 * @param input.what - `the report`
 */
export function unwritableFile(input: {
  readonly what: string;
  readonly file: string;
  readonly cause: unknown;
}): ClocheError {
  const { what, file, cause } = input;
  const code = errorCode(cause);
  return new ClocheError('REPORT_UNWRITABLE', {
    attempt: `write ${what}`,
    subject: file,
    reason: reasons[code] ?? (cause instanceof Error ? cause.message : String(cause)),
    remedy: remedies[code] ?? 'Name another file',
    cause,
  });
}
