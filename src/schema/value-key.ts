import { ExactNumber } from '../json/exact-number.ts';
import type { JsonValue } from '../json/json-value.ts';
import { numberKey } from '../json/number-key.ts';

/**
 * One text for all JSON values that are equal as JSON Schema means it (2020-12 core §4.2.2), and another for
 * any other value. It makes looking for equal items linear.
 */
export function valueKey(value: JsonValue): string {
  if (typeof value === 'number' || value instanceof ExactNumber) {
    return numberKey(value);
  }
  if (value === null || typeof value !== 'object') {
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map((item) => valueKey(item)).join(',')}]`;
  }
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${valueKey(member)}`);
  return `{${members.toSorted().join(',')}}`;
}
