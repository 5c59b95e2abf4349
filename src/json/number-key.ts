import type { ExactNumber } from './exact-number.ts';
import { toDecimal } from './to-decimal.ts';

/** The number of digits up to which JavaScript itself prints an integer without an exponent. */
const longestPlainInteger = 21;

/**
 * One text for each value: 1, 1.0 and 1e0 give `1`; 9007199254740992 and …993 give two texts.
 */
export function numberKey(value: number | ExactNumber): string {
  if (Number.isSafeInteger(value)) {
    return String(value);
  }
  const { isNegative, digits: size, exponent } = toDecimal(value);
  const digits = isNegative ? `-${size}` : size;
  if (exponent >= 0 && digits.length + exponent <= longestPlainInteger) {
    return digits + '0'.repeat(exponent);
  }
  return `${digits}e${exponent}`;
}
