import { numberKey } from '../json/number-key.ts';
import { toDecimal } from '../json/to-decimal.ts';
import type { ExactNumber } from '../json/exact-number.ts';

/** Beyond them every service that keeps digits needs more than a double. */
const exponentLimit = 40;

/**
 * What an integer becomes for a service that keeps keys as doubles, or in 32 bits.
 *
 * @returns one text each; none for a number that is no integer or too large to be a key anywhere
 */
export function roundedKeys(key: number | ExactNumber): readonly string[] {
  if (typeof key === 'number' && Number.isSafeInteger(key)) {
    // The low 32 bits are those of the integer, as every digit of it is there.
    return [`double ${key}`, `int32 ${key | 0}`];
  }
  const { coefficient, exponent } = toDecimal(key);
  if (exponent < 0 || exponent > exponentLimit) {
    return [];
  }
  const integer = coefficient * 10n ** BigInt(exponent);
  return [`double ${numberKey(Number(integer))}`, `int32 ${BigInt.asIntN(32, integer)}`];
}
