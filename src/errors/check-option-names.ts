import { ClocheError } from './cloche-error.ts';
import { closestWord } from './closest-word.ts';

/**
 * Looks whether an object of options holds those alone that there are: one with a slip of the pen would be passed over
 * without a word, and what was asked for not be done. TypeScript sees that only where the object is written in place.
 *
 * @param input.given - what the caller gave
 * @param input.names - those that there are
 * @param input.attempt - as in ErrorParts: `use the option of createMock()`
 * @throws ClocheError OPTION_INVALID for what is no object, or has another name
 *
 * @example
 * checkOptionNames({ token: 's' }, { names: ['tokens'], attempt: 'use the option' });
 * // Failed to use the option "token": there is none of this name. Perhaps "tokens" was meant.
 */
export function checkOptionNames(
  given: unknown,
  { names, attempt }: { readonly names: readonly string[]; readonly attempt: string },
): void {
  const remedy = `It takes ${names.join(', ')}`;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const reason = 'it is no object of named options';
    throw new ClocheError('OPTION_INVALID', { attempt, subject: String(given), reason, remedy });
  }
  const subject = Object.keys(given).find((name) => !names.includes(name));
  if (subject === undefined) {
    return;
  }
  const near = closestWord(subject, names);
  throw new ClocheError('OPTION_INVALID', {
    attempt,
    subject,
    reason: 'there is none of this name',
    remedy: near === undefined ? remedy : `Perhaps "${near}" was meant`,
  });
}
