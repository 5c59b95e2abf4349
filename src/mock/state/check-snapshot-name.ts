import { ClocheError } from '../../errors/cloche-error.ts';
import { shorten } from '../content/shorten.ts';

const form = /^[\p{L}\p{N}_](?:[\p{L}\p{N} ._-]{0,62}[\p{L}\p{N}_.-])?$/u;

/**
 * Checks the name of a snapshot.
 *
 * @throws ClocheError OPTION_INVALID where it is none
 */
export function checkSnapshotName(name: unknown): string {
  if (typeof name === 'string' && form.test(name)) {
    return name;
  }
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'keep a snapshot as',
    subject: shorten(String(name)),
    reason:
      'a name has 1 to 64 letters, digits, spaces, dots, hyphens and underscores, and begins with a letter, a digit or an underscore',
    remedy: 'Give it another name',
  });
}
