import { ClocheError } from '../errors/cloche-error.ts';
import { takeOne } from './take-one.ts';

/**
 * Checks a text that an option was given.
 *
 * @throws ClocheError OPTION_INVALID where it is empty, or given more than once
 */
export function checkText(option: string, value: unknown): string {
  const text = String(takeOne(option, value));
  if (text === '') {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: `--${option}`,
      reason: 'its value is empty',
      remedy: `Give --${option} a value, or leave it out`,
    });
  }
  return text;
}
