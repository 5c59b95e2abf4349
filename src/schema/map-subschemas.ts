import { appendPointer, type JsonPointer } from '../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonSchema } from './json-schema.ts';

const single = new Set([
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const listed = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const named = new Set(['$defs', 'dependentSchemas', 'patternProperties', 'properties']);

/** Makes another schema of a schema; the pointer is its place, relative to the one that the walk began at. */
export type SchemaMapping = (schema: JsonSchema, pointer: JsonPointer) => JsonSchema;

/**
 * Copies a schema with each schema directly under it replaced. Only real schemas are touched: what stands
 * in `enum` or `default`, and a property that happens to be called `items`, is not.
 *
 * @param input.pointer - the place of the schema itself
 */
export function mapSubschemas(input: {
  readonly schema: JsonObject;
  readonly pointer: JsonPointer;
  readonly map: SchemaMapping;
}): JsonObject {
  const { schema, pointer, map } = input;
  function mapOne(value: JsonValue, place: JsonPointer): JsonValue {
    return typeof value === 'boolean' || isJsonObject(value) ? map(value, place) : value;
  }
  function mapKeyword(keyword: string, value: JsonValue): JsonValue {
    const place = appendPointer(pointer, keyword);
    if (single.has(keyword)) {
      return mapOne(value, place);
    }
    if (listed.has(keyword) && Array.isArray(value)) {
      return value.map((item, index) => mapOne(item, appendPointer(place, index)));
    }
    if (named.has(keyword) && isJsonObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, mapOne(member, appendPointer(place, name))]),
      );
    }
    return value;
  }
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, mapKeyword(keyword, value)]),
  );
}
