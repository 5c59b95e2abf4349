import { ClocheError } from '../errors/cloche-error.ts';

/**
 * Checks a number that an option was given.
 *
 * @throws ClocheError OPTION_INVALID where it is none, or out of its range
 */
export function checkNumber(
  option: string,
  value: number,
  range: { readonly from: number; readonly to: number; readonly whole: boolean },
): number {
  const fits = value >= range.from && value <= range.to && (!range.whole || Number.isInteger(value));
  if (!fits) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: `--${option} ${value}`,
      reason: `it takes a ${range.whole ? 'whole ' : ''}number from ${range.from} to ${range.to}`,
      remedy: `Give another --${option}`,
    });
  }
  return value;
}
