import { isJsonObject } from '../json/is-json-object.ts';
import { type JsonPointer, pointerTokens } from '../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { schemaConjuncts } from './schema-conjuncts.ts';

/** The schema and every alternative in it that may speak for the same value. */
function withAlternatives(root: JsonSchema, schema: JsonValue, found: Set<JsonObject>): void {
  for (const part of schemaConjuncts(root, schema) ?? []) {
    if (found.has(part)) {
      continue;
    }
    found.add(part);
    for (const keyword of ['oneOf', 'anyOf']) {
      for (const alternative of Array.isArray(part[keyword]) ? part[keyword] : []) {
        withAlternatives(root, alternative, found);
      }
    }
    for (const keyword of ['then', 'else']) {
      withAlternatives(root, part[keyword] ?? true, found);
    }
  }
}

function membersOf(schema: JsonObject, token: string): readonly JsonValue[] {
  const { properties, items, prefixItems, additionalProperties } = schema;
  if (isJsonObject(properties) && Object.hasOwn(properties, token)) {
    return [properties[token] ?? true];
  }
  const isIndex = /^\d+$/u.test(token);
  const prefix = isIndex && Array.isArray(prefixItems) ? prefixItems[Number(token)] : undefined;
  return [prefix ?? (isIndex ? items : undefined), additionalProperties].filter(
    (member) => member !== undefined,
  );
}

/**
 * The schemas that may speak for a place in a value: all of those that must hold there, and those of every
 * alternative. It is for finding bounds to try; a validator says what they come to.
 *
 * @param root - a schema that stands alone
 */
export function schemasAt(root: JsonSchema, pointer: JsonPointer): readonly JsonObject[] {
  let found = new Set<JsonObject>();
  withAlternatives(root, root, found);
  for (const token of pointerTokens(pointer)) {
    const inside = new Set<JsonObject>();
    for (const schema of found) {
      for (const member of membersOf(schema, token)) {
        withAlternatives(root, member, inside);
      }
    }
    found = inside;
  }
  return [...found];
}
