import type { JsonObject } from '../json/json-value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { resolveObject } from './resolve-object.ts';

function collect(root: JsonObject, schema: JsonObject, found: Set<string>, seen: Set<JsonObject>): void {
  if (seen.has(schema)) {
    return;
  }
  seen.add(schema);
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  for (const type of types) {
    if (typeof type === 'string') {
      found.add(type);
    }
  }
  if (typeof schema['$ref'] === 'string' && schema['$ref'].startsWith('#')) {
    const target = resolveObject(root, decodeURIComponent(schema['$ref'].slice(1)));
    if (target !== undefined) {
      collect(root, target.value, found, seen);
    }
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const parts = schema[keyword];
    for (const part of Array.isArray(parts) ? parts.filter(isJsonObject) : []) {
      collect(root, part, found, seen);
    }
  }
}

/** The JSON types that a self-contained schema speaks of, through `$ref`, `allOf`, `anyOf` and `oneOf`. */
export function schemaTypes(schema: JsonSchema): ReadonlySet<string> {
  const found = new Set<string>();
  if (isJsonObject(schema)) {
    collect(schema, schema, found, new Set());
  }
  return found;
}
