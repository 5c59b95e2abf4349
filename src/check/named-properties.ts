import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { resolveLocal } from '../schema/resolve-local.ts';

/** Keywords whose subschemas look at the same object (JSON Schema 2020-12 core §10.2). */
const lists = ['allOf', 'oneOf', 'anyOf'];
const single = ['if', 'then', 'else', 'not'];

const none: ReadonlySet<string> = new Set();
const collected = new WeakMap<JsonObject, ReadonlySet<string>>();

function collect(root: JsonObject, schema: JsonObject, seen: Set<JsonObject>): void {
  if (seen.has(schema)) {
    return;
  }
  seen.add(schema);
  const { $ref: reference, dependentSchemas } = schema;
  const target =
    typeof reference === 'string' && reference.startsWith('#') ? resolveLocal(root, reference) : undefined;
  const parts = [
    target,
    ...lists.flatMap((keyword) => schema[keyword] ?? []),
    ...single.map((keyword) => schema[keyword]),
    ...(isJsonObject(dependentSchemas) ? Object.values(dependentSchemas) : []),
  ];
  for (const part of parts) {
    if (isJsonObject(part)) {
      collect(root, part, seen);
    }
  }
}

/**
 * The names of all properties that a self-contained schema speaks of for an object, those among them that only some
 * branch of `oneOf`, `anyOf` or `if` declares.
 */
export function namedProperties(schema: JsonSchema): ReadonlySet<string> {
  if (!isJsonObject(schema)) {
    return none;
  }
  const known = collected.get(schema);
  if (known !== undefined) {
    return known;
  }
  const parts = new Set<JsonObject>();
  collect(schema, schema, parts);
  const names = new Set(
    [...parts].flatMap(({ properties }) => (isJsonObject(properties) ? Object.keys(properties) : [])),
  );
  collected.set(schema, names);
  return names;
}
