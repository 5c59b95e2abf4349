import type { ExactNumber } from './exact-number.ts';
import { toDecimal } from './to-decimal.ts';

function powerModulo(base: bigint, exponent: number, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) {
      result = (result * square) % modulus;
    }
    square = (square * square) % modulus;
  }
  return result;
}

/**
 * Whether dividing one JSON number by another gives an integer, to the last digit
 * (JSON Schema 2020-12 validation §6.2.1): 0.3 is a multiple of 0.1.
 *
 * @param divisor - greater than zero
 */
export function isMultipleOf(value: number | ExactNumber, divisor: number | ExactNumber): boolean {
  const dividend = toDecimal(value);
  const step = toDecimal(divisor);
  if (dividend.coefficient === 0n) {
    return true;
  }
  const shift = dividend.exponent - step.exponent;
  if (shift >= 0) {
    // Modular, so that 1e999999999 is never written out.
    return (dividend.coefficient * powerModulo(10n, shift, step.coefficient)) % step.coefficient === 0n;
  }
  // A coefficient has no trailing zeros, so it is never a multiple of ten.
  return false;
}
