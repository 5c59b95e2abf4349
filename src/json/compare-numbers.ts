import type { Decimal } from './decimal.ts';
import type { ExactNumber } from './exact-number.ts';
import { toDecimal } from './to-decimal.ts';

function magnitude({ coefficient, exponent }: Decimal): number {
  const digits = (coefficient < 0n ? -coefficient : coefficient).toString().length;
  return digits + exponent;
}

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
  const leftSign = left.coefficient < 0n ? -1 : left.coefficient > 0n ? 1 : 0;
  const rightSign = right.coefficient < 0n ? -1 : right.coefficient > 0n ? 1 : 0;
  if (leftSign !== rightSign || leftSign === 0) {
    return leftSign - rightSign;
  }
  // The orders of magnitude come first, so that 1e999999999 is never written out.
  const larger = magnitude(left) - magnitude(right);
  if (larger !== 0) {
    return larger * leftSign;
  }
  const shift = left.exponent - right.exponent;
  const scaledLeft = shift > 0 ? left.coefficient * 10n ** BigInt(shift) : left.coefficient;
  const scaledRight = shift < 0 ? right.coefficient * 10n ** BigInt(-shift) : right.coefficient;
  return scaledLeft < scaledRight ? -1 : scaledLeft > scaledRight ? 1 : 0;
}
