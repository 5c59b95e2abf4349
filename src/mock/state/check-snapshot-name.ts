import { ClocheError } from '../../errors/cloche-error.ts';
import { shorten } from '../content/shorten.ts';
import { snapshotNameForm } from './snapshot-name-form.ts';

/**
 * Checks the name of a snapshot.
 *
 * @throws ClocheError OPTION_INVALID where it is none
 */
export function checkSnapshotName(name: unknown): string {
  if (typeof name === 'string' && snapshotNameForm.test(name)) {
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
