import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { resolveLocal } from '../schema/resolve-local.ts';

function collect(root: JsonSchema, schema: JsonValue, found: Set<JsonObject>): boolean {
  if (!isJsonObject(schema)) {
    return schema !== false;
  }
  if (found.has(schema)) {
    return true;
  }
  found.add(schema);
  const reference = schema['$ref'];
  const target = typeof reference === 'string' ? resolveLocal(root, reference) : true;
  const parts = Array.isArray(schema['allOf']) ? schema['allOf'] : [];
  return [target ?? true, ...parts].every((part) => collect(root, part, found));
}

/**
 * The schemas that must all hold where one schema must: itself and what it names by `$ref` and `allOf`.
 * Whoever reads them reads neither keyword again.
 *
 * @param root - the self-contained schema that holds the definitions
 * @param schema - a schema inside it
 * @returns undefined where nothing can be valid
 */
export function schemaConjuncts(root: JsonSchema, schema: JsonValue): readonly JsonObject[] | undefined {
  const found = new Set<JsonObject>();
  return collect(root, schema, found) ? [...found] : undefined;
}
