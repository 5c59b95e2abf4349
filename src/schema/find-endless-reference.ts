import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonSchema } from './json-schema.ts';
import { mapSubschemas } from './map-subschemas.ts';
import { resolveLocal } from './resolve-local.ts';

/** The keywords whose schemas judge the very value that the schema around them judges. */
const inPlace = /^\/(?:(?:allOf|anyOf|oneOf)\/\d+|not|if|then|else|dependentSchemas\/[^/]*)$/u;

/**
 * Looks for a schema that a validator would never come out of: one that refers to itself for the same value
 * (JSON Schema 2020-12 core §9.4.1).
 *
 * @returns the `$ref` that closes the circle, or undefined
 */
export function findEndlessReference(root: JsonSchema): string | undefined {
  const left = new Set<object>();
  const entered = new Set<object>();

  function visit(schema: JsonSchema): string | undefined {
    if (!isJsonObject(schema) || left.has(schema)) {
      return undefined;
    }
    entered.add(schema);
    const found = visitReference(schema) ?? visitAll(schema);
    entered.delete(schema);
    left.add(schema);
    return found;
  }

  function visitReference(schema: JsonSchema): string | undefined {
    const reference = isJsonObject(schema) ? schema['$ref'] : undefined;
    const target = typeof reference === 'string' ? resolveLocal(root, reference) : undefined;
    if (target === undefined || typeof reference !== 'string') {
      return undefined;
    }
    return isJsonObject(target) && entered.has(target) ? reference : visit(target);
  }

  function visitAll(schema: JsonSchema): string | undefined {
    let found: string | undefined;
    if (isJsonObject(schema)) {
      mapSubschemas({
        schema,
        pointer: '',
        map: (child, place) => {
          if (inPlace.test(place)) {
            found ??= visit(child);
          } else {
            elsewhere.push(child);
          }
          return child;
        },
      });
    }
    return found;
  }

  const elsewhere: JsonSchema[] = [root];
  for (let next = elsewhere.pop(); next !== undefined; next = elsewhere.pop()) {
    const found = visit(next);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
