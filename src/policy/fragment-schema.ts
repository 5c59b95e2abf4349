import type { JsonObject } from '../json/json-value.ts';

const count = { type: 'integer', minimum: 0 };
const number = { type: 'number' };
const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** Keywords whose values are looked at when they are compiled (JSON Schema 2020-12 core §10, validation §9). */
const furtherKeywords =
  'allOf anyOf oneOf not if then else dependentSchemas dependentRequired properties patternProperties ' +
  'additionalProperties propertyNames unevaluatedProperties items prefixItems contains unevaluatedItems const ' +
  'default examples title description deprecated readOnly writeOnly $comment contentEncoding contentMediaType ' +
  'contentSchema';

/** The JSON Schema of a fragment that bounds a property further: the keywords of JSON Schema without references. */
export const fragmentSchema: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: {
    type: { anyOf: [{ enum: types }, { type: 'array', items: { enum: types }, minItems: 1 }] },
    enum: { type: 'array', minItems: 1 },
    minLength: count,
    maxLength: count,
    pattern: { type: 'string', format: 'regex' },
    format: { type: 'string' },
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    minItems: count,
    maxItems: count,
    uniqueItems: { type: 'boolean' },
    minContains: count,
    maxContains: count,
    minProperties: count,
    maxProperties: count,
    required: { type: 'array', items: { type: 'string' } },
    ...Object.fromEntries(furtherKeywords.split(' ').map((keyword) => [keyword, true])),
  },
};
