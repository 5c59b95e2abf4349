import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { integerFormats } from '../../schema/integer-formats.ts';

/** The schemas within a self-contained one that have a format with a range of integers. */
export function findRangedSchemas(schema: JsonSchema): readonly JsonObject[] {
  const found: JsonObject[] = [];
  function visit(value: JsonValue | undefined): void {
    if (Array.isArray(value)) {
      value.forEach(visit);
    } else if (isJsonObject(value)) {
      if (typeof value['format'] === 'string' && integerFormats.has(value['format'])) {
        found.push(value);
      }
      Object.values(value).forEach(visit);
    }
  }
  visit(schema);
  return found;
}
