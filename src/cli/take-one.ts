import { ClocheError } from '../errors/cloche-error.ts';

/**
 * The value of an option that takes one; it is not shown where there are several, as it may be a secret.
 *
 * @param value - as yargs gives it: a list where the option was given again
 * @throws ClocheError OPTION_INVALID where there are several
 */
export function takeOne(option: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: `--${option}`,
      reason: `it is given ${value.length} times, and it takes one value`,
      remedy: `Give --${option} once`,
    });
  }
  return value;
}
