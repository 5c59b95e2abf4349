import { ExactNumber } from './exact-number.ts';

/** Whether a JSON number has no fractional part, by value: `1.0` and `1e2` have none (JSON Schema 2020-12 validation §6.1.1). */
export function isInteger(value: number | ExactNumber): boolean {
  return value instanceof ExactNumber ? value.decimal.exponent >= 0 : Number.isInteger(value);
}
