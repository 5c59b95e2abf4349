import { isJsonObject } from '../../json/is-json-object.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import type { JsonObject } from '../../json/json-value.ts';

/** One object with the members of both; undefined where they contradict each other. */
function mergeObjects(left: JsonObject, right: JsonObject): JsonObject | undefined {
  const merged: JsonObject = { ...left };
  for (const [name, value] of Object.entries(right)) {
    const there = Object.hasOwn(merged, name) ? merged[name] : undefined;
    if (there === undefined) {
      merged[name] = value;
    } else if (isJsonObject(there) && isJsonObject(value)) {
      const both = mergeObjects(there, value);
      if (both === undefined) {
        return undefined;
      }
      merged[name] = both;
    } else if (!jsonEqual(there, value)) {
      return undefined;
    }
  }
  return merged;
}

/** A schema that asks what several ask together: their members side by side, where none says otherwise than another. */
export function mergeSchemas(schemas: readonly JsonObject[]): JsonObject {
  const parts: JsonObject[] = [];
  for (const schema of schemas) {
    const index = parts.findIndex((part) => mergeObjects(part, schema) !== undefined);
    const merged = mergeObjects(parts[index] ?? {}, schema) ?? schema;
    parts[index === -1 ? parts.length : index] = merged;
  }
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0 ? only : { allOf: parts };
}
