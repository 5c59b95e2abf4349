import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { resolveLocal } from '../schema/resolve-local.ts';

/**
 * The schemas that judge the same value as a schema does, itself the last: what its `$ref` leads to, and the
 * parts of its `allOf`, `anyOf` and `oneOf`, recursively, each once (JSON Schema 2020-12 core §10.2.1).
 *
 * @param root - what local references start from
 */
export function schemasInPlace(root: JsonSchema, schema: JsonSchema): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const entered = new Set<JsonObject>();

  function visit(part: JsonValue | undefined): void {
    if (!isJsonObject(part) || entered.has(part)) {
      return;
    }
    entered.add(part);
    const { $ref: reference, allOf, anyOf, oneOf } = part;
    if (typeof reference === 'string' && reference.startsWith('#')) {
      visit(resolveLocal(root, reference));
    }
    for (const parts of [allOf, anyOf, oneOf]) {
      if (Array.isArray(parts)) {
        parts.forEach(visit);
      }
    }
    found.add(part);
  }

  visit(schema);
  return [...found];
}
