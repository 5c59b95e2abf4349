import { isJsonObject } from '../../json/is-json-object.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import type { JsonValue } from '../../json/json-value.ts';

/** Whether a policy says an answer, or the members of it that were seen, already. */
export function isSaid(said: JsonValue | undefined, seen: JsonValue): boolean {
  if (said === undefined || !isJsonObject(said) || !isJsonObject(seen)) {
    return said !== undefined && jsonEqual(said, seen);
  }
  return Object.entries(seen).every(([name, value]) => isSaid(said[name], value));
}
