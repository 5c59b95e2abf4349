import { ExactNumber } from '../../json/exact-number.ts';
import type { JsonValue } from '../../json/json-value.ts';

/** A value whose numbers are JavaScript's, as settings have them: `1.0` is 1. */
export function toPlainNumbers(value: JsonValue): JsonValue {
  if (value instanceof ExactNumber) {
    return Number(value.text);
  }
  if (Array.isArray(value)) {
    return value.map(toPlainNumbers);
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toPlainNumbers(member)]));
  }
  return value;
}
