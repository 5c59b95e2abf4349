import type { ExactNumber } from './exact-number.ts';
import { toDecimal } from './to-decimal.ts';

/**
 * Compares two JSON numbers by value, to the last digit.
 *
 * @returns a negative number, zero or a positive one, as `a - b` would be
 */
export function compareNumbers(a: number | ExactNumber, b: number | ExactNumber): number {
  if (typeof a === 'number' && typeof b === 'number') {
    return a - b;
  }
  const left = toDecimal(a);
  const right = toDecimal(b);
  if (left.sign !== right.sign || left.sign === 0) {
    return left.sign - right.sign;
  }
  // The orders of magnitude come first, so that 1e999999999 is never written out.
  const larger = left.digits.length + left.exponent - (right.digits.length + right.exponent);
  if (larger !== 0) {
    return larger * left.sign;
  }
  // Of one magnitude, digits compare as texts do: none begins or ends with a zero.
  return (left.digits < right.digits ? -1 : left.digits > right.digits ? 1 : 0) * left.sign;
}
