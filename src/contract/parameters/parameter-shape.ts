import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { schemaProperties } from '../schema-properties.ts';
import { schemaTypes } from '../schema-types.ts';
import { schemasInPlace } from '../schemas-in-place.ts';
import { type CoerceText, createCoercion } from './coerce-text.ts';

/** What the texts of a parameter are put together to. */
export type ParameterShape =
  | { readonly kind: 'text'; readonly coerce: CoerceText }
  | { readonly kind: 'array'; readonly coerceItem: CoerceText }
  | {
      readonly kind: 'object';
      readonly names: ReadonlySet<string>;
      readonly coerceProperty: (name: string, text: string) => JsonValue;
    };

const coercible = ['number', 'integer', 'boolean'];

function isSchema(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === 'boolean' || isJsonObject(value);
}

function toArrayShape(root: JsonSchema, parts: readonly JsonObject[]): ParameterShape {
  const items = parts.map((part) => part['items']).filter(isSchema);
  return { kind: 'array', coerceItem: createCoercion(root, { allOf: items }) };
}

function toObjectShape(schema: JsonSchema, parts: readonly JsonObject[]): ParameterShape {
  const coercions = new Map(
    [...schemaProperties(schema)].map(([name, each]) => [name, createCoercion(schema, each.schema)]),
  );
  const others = parts.map((part) => part['additionalProperties']).filter(isSchema);
  const coerceOther = createCoercion(schema, { allOf: others });
  return {
    kind: 'object',
    names: new Set(coercions.keys()),
    coerceProperty: (name, text) => (coercions.get(name) ?? coerceOther)(text),
  };
}

/**
 * Reads off a schema whether a parameter is one text, a list or an object of texts. Where it may be several
 * of these, the text is the last of them.
 *
 * @param schema - standing alone
 * @returns at least one shape
 */
export function toParameterShapes(schema: JsonSchema): readonly ParameterShape[] {
  const parts = schemasInPlace(schema, schema);
  const types = schemaTypes(schema);
  const isObject = types.has('object') || (types.size === 0 && schemaProperties(schema).size > 0);
  const isText = types.has('string');
  const isCoercible = coercible.some((type) => types.has(type));
  const compound = [
    ...(types.has('array') ? [toArrayShape(schema, parts)] : []),
    ...(isObject ? [toObjectShape(schema, parts)] : []),
  ];
  if (compound.length > 0 && !isText && !isCoercible) {
    return compound;
  }
  // `5` may be the text that a schema allows beside a number.
  const isAmbiguous = isText && isCoercible;
  const asSent: ParameterShape = { kind: 'text', coerce: (text) => text };
  return [
    ...compound,
    { kind: 'text', coerce: createCoercion(schema, schema) },
    ...(isAmbiguous ? [asSent] : []),
  ];
}
