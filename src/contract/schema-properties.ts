import type { JsonObject } from '../json/json-value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { resolveLocal } from '../schema/resolve-local.ts';
import { schemasInPlace } from './schemas-in-place.ts';

/** A property that a schema declares. */
export interface SchemaProperty {
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** Whether it travels in responses alone. */
  readonly readOnly: boolean;
  /** Whether it travels in requests alone. */
  readonly writeOnly: boolean;
}

const none: ReadonlyMap<string, SchemaProperty> = new Map();
/** Checks and generators ask for the same schemas again and again. */
const collected = new WeakMap<JsonObject, ReadonlyMap<string, SchemaProperty>>();

/** What two places that declare one property ask of it together. */
function both(earlier: JsonSchema, later: JsonSchema): JsonSchema {
  if (earlier === true || later === true) {
    return earlier === true ? later : earlier;
  }
  return { allOf: [earlier, later] };
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
    const target = resolveLocal(root, reference);
    if (isJsonObject(target)) {
      collect(root, target, found, seen);
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
        const parts = schemasInPlace(root, value);
        found.set(name, {
          schema: both(earlier?.schema ?? true, value),
          required: earlier?.required ?? false,
          readOnly: earlier?.readOnly === true || parts.some((part) => part['readOnly'] === true),
          writeOnly: earlier?.writeOnly === true || parts.some((part) => part['writeOnly'] === true),
        });
      }
    }
  }
  for (const name of Array.isArray(schema['required']) ? schema['required'] : []) {
    if (typeof name === 'string') {
      const property = found.get(name) ?? { schema: true, readOnly: false, writeOnly: false };
      found.set(name, { ...property, required: true });
    }
  }
}

/**
 * The properties that a self-contained schema declares for an object, through `$ref`, what stands beside it,
 * and `allOf`; what only some branch of `oneOf`, `anyOf` or `if` declares is left out.
 */
export function schemaProperties(schema: JsonSchema | undefined): ReadonlyMap<string, SchemaProperty> {
  if (!isJsonObject(schema)) {
    return none;
  }
  const known = collected.get(schema);
  if (known !== undefined) {
    return known;
  }
  const found = new Map<string, SchemaProperty>();
  collect(schema, schema, found, new Set());
  collected.set(schema, found);
  return found;
}
