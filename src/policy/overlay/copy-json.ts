import { ExactNumber } from '../../json/exact-number.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';

/** How exact numbers are copied: digit for digit, or as the nearest double, as most readers have them. */
type Numbers = 'exact' | 'double';

/** A copy of a JSON value of which nothing is shared with it. */
export function copyJson(value: JsonValue, numbers: Numbers): JsonValue {
  if (value instanceof ExactNumber) {
    return numbers === 'exact' ? value : Number(value.text);
  }
  if (Array.isArray(value)) {
    return value.map((item) => copyJson(item, numbers));
  }
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyJson(member, numbers)]))
    : value;
}
