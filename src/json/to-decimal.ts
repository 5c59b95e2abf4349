import { type Decimal, parseDecimal } from './decimal.ts';
import { ExactNumber } from './exact-number.ts';

/**
 * The decimal that a JSON number stands for.
 *
 * @param value - a finite number or an exact one
 */
export function toDecimal(value: number | ExactNumber): Decimal {
  return value instanceof ExactNumber ? value.decimal : parseDecimal(String(value));
}
