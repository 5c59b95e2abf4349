import type { JsonValue } from '../../json/json-value.ts';

/** The items of a keyword that takes one or several, or may be absent. */
export function toList(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) {
    return [];
  }
  return Array.isArray(value) ? value : [value];
}
