import { ClocheError } from '../errors/cloche-error.ts';
import { takeOne } from './take-one.ts';

/** A number as a person writes it. */
const form = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu;

/**
 * Checks a number that an option was given.
 *
 * @param value - as yargs gives it: a number, or the text where it did not take it for one
 * @throws ClocheError OPTION_INVALID where it is none, or out of its range, or given more than once
 */
export function checkNumber(
  option: string,
  value: unknown,
  range: { readonly from: number; readonly to: number; readonly whole: boolean },
): number {
  const text = String(takeOne(option, value)).trim();
  const number = form.test(text) ? Number(text) : Number.NaN;
  const fits = number >= range.from && number <= range.to && (!range.whole || Number.isInteger(number));
  if (!fits) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: `--${option} ${text}`.trim(),
      reason: `it takes a ${range.whole ? 'whole ' : ''}number from ${range.from} to ${range.to}`,
      remedy: `Give another --${option}`,
    });
  }
  return number;
}
