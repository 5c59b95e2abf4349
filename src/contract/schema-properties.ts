import type { JsonObject } from '../json/json-value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { resolveObject } from './resolve-object.ts';

/** A property that a schema declares. */
export interface SchemaProperty {
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly readOnly: boolean;
}

function collect(
  root: JsonObject,
  schema: JsonObject,
  found: Map<string, SchemaProperty>,
  seen: Set<JsonObject>,
): void {
  if (seen.has(schema)) {
    return;
  }
  seen.add(schema);
  const reference = schema['$ref'];
  if (typeof reference === 'string' && reference.startsWith('#')) {
    const target = resolveObject(root, decodeURIComponent(reference.slice(1)));
    if (target !== undefined) {
      collect(root, target.value, found, seen);
    }
  }
  const parts = Array.isArray(schema['allOf']) ? schema['allOf'].filter(isJsonObject) : [];
  for (const part of parts) {
    collect(root, part, found, seen);
  }
  if (isJsonObject(schema['properties'])) {
    for (const [name, value] of Object.entries(schema['properties'])) {
      if (typeof value === 'boolean' || isJsonObject(value)) {
        const earlier = found.get(name);
        const readOnly = isJsonObject(value) && value['readOnly'] === true;
        found.set(name, {
          schema: value,
          required: earlier?.required ?? false,
          readOnly: earlier?.readOnly ?? readOnly,
        });
      }
    }
  }
  for (const name of Array.isArray(schema['required']) ? schema['required'] : []) {
    if (typeof name === 'string') {
      const property = found.get(name) ?? { schema: true, readOnly: false };
      found.set(name, { ...property, required: true });
    }
  }
}

/**
 * The properties that a self-contained schema declares for an object, through `$ref` and `allOf`; what
 * only some branch of `oneOf`, `anyOf` or `if` declares is left out.
 */
export function schemaProperties(schema: JsonSchema | undefined): ReadonlyMap<string, SchemaProperty> {
  const found = new Map<string, SchemaProperty>();
  if (isJsonObject(schema)) {
    collect(schema, schema, found, new Set());
  }
  return found;
}
