import type { JsonObject, JsonValue } from '../../json/json-value.ts';

const schema: JsonObject = { $ref: '#/$defs/schema' };
const string: JsonObject = { type: 'string' };
const boolean: JsonObject = { type: 'boolean' };
const number: JsonObject = { type: 'number' };
const count: JsonObject = { type: 'integer', minimum: 0 };
const strings: JsonObject = { type: 'array', items: string, uniqueItems: true };
const schemas: JsonObject = { type: 'array', items: schema, minItems: 1 };
const namedSchemas: JsonObject = { type: 'object', additionalProperties: schema };
const typeName: JsonObject = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] };

function each(names: string, value: JsonValue): JsonObject {
  return Object.fromEntries(names.split(' ').map((name) => [name, value]));
}

/**
 * The Schema Object of OpenAPI 3.1 (§4.8.24): the keywords of JSON Schema 2020-12 and those that OpenAPI
 * adds, each with what may stand behind it. The published schema of OpenAPI 3.1 leaves it open.
 */
export const schemaObject: JsonObject = {
  type: ['object', 'boolean'],
  target: schema,
  properties: {
    ...each(
      '$anchor $comment $dynamicAnchor $id $ref $schema contentEncoding contentMediaType description format title',
      string,
    ),
    ...each('deprecated readOnly uniqueItems writeOnly', boolean),
    ...each('exclusiveMaximum exclusiveMinimum maximum minimum', number),
    ...each(
      'maxContains maxItems maxLength maxProperties minContains minItems minLength minProperties',
      count,
    ),
    ...each('allOf anyOf oneOf prefixItems', schemas),
    ...each('$defs dependentSchemas properties', namedSchemas),
    ...each(
      'additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties',
      schema,
    ),
    $dynamicRef: false,
    dependentRequired: { type: 'object', additionalProperties: strings },
    discriminator: {
      type: 'object',
      properties: { propertyName: string, mapping: { type: 'object', additionalProperties: string } },
      required: ['propertyName'],
    },
    enum: { type: 'array' },
    examples: { type: 'array' },
    externalDocs: { $ref: '#/$defs/external-documentation' },
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    pattern: { type: 'string', format: 'regex' },
    patternProperties: { ...namedSchemas, propertyNames: { format: 'regex' } },
    required: strings,
    type: { anyOf: [typeName, { type: 'array', items: typeName, minItems: 1, uniqueItems: true }] },
    xml: {
      type: 'object',
      properties: { ...each('name namespace prefix', string), ...each('attribute wrapped', boolean) },
    },
  },
};
