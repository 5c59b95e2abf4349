import { isJsonObject } from '../../json/is-json-object.ts';
import { schemaProperties } from '../../contract/schema-properties.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { mergeSchema } from '../bodies/merge-schema.ts';
import { type CoerceText, createCoercion } from './coerce-text.ts';

/** What the texts of a parameter are put together to. */
export type ParameterShape =
  | { readonly kind: 'text'; readonly coerce: CoerceText }
  | { readonly kind: 'array'; readonly coerceItem: CoerceText }
  | {
      readonly kind: 'object';
      readonly names: readonly string[];
      readonly coerceProperty: (name: string, text: string) => JsonValue;
    };

/** Reads off a schema whether a parameter is one text, a list or an object of texts. */
export function toParameterShape(schema: JsonSchema): ParameterShape {
  const root = isJsonObject(schema) ? schema : {};
  const merged = mergeSchema(root, schema);
  const types = Array.isArray(merged['type']) ? merged['type'] : [merged['type']];
  if (types.includes('array')) {
    const items = merged['items'];
    return { kind: 'array', coerceItem: createCoercion(root, isJsonObject(items) ? items : true) };
  }
  const properties = schemaProperties(schema);
  if (types.includes('object') || (properties.size > 0 && merged['type'] === undefined)) {
    const coercions = new Map(
      [...properties].map(([name, each]) => [name, createCoercion(root, each.schema)]),
    );
    return {
      kind: 'object',
      names: [...properties.keys()],
      coerceProperty: (name, text) => coercions.get(name)?.(text) ?? text,
    };
  }
  return { kind: 'text', coerce: createCoercion(root, schema) };
}
