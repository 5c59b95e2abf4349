import { ExactNumber } from './exact-number.ts';
import type { JsonObject, JsonValue } from './json-value.ts';

/**
 * Whether a value is a JSON object, and neither an array nor a number that keeps its digits.
 *
 * @param value - undefined stands for a member that is absent
 */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}
