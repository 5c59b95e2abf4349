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

/** As many digits are an integer that JavaScript has exactly. */
const digitsAtOnce = 15;

/** What is left of a long integer, taken digit by digit: as a whole it would take time that grows with its square. */
function remainder(digits: string, modulus: bigint): bigint {
  let left = 0n;
  for (let start = 0; start < digits.length; start += digitsAtOnce) {
    const piece = digits.slice(start, start + digitsAtOnce);
    left = (left * 10n ** BigInt(piece.length) + BigInt(piece)) % modulus;
  }
  return left;
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
  if (dividend.sign === 0) {
    return true;
  }
  const shift = dividend.exponent - step.exponent;
  if (shift >= 0) {
    // Modular, so that 1e999999999 is never written out.
    const divided = step.coefficient;
    return (remainder(dividend.digits, divided) * powerModulo(10n, shift, divided)) % divided === 0n;
  }
  // A coefficient has no trailing zeros, so it is never a multiple of ten.
  return false;
}
