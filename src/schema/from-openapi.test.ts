import { expect, test } from 'vitest';
import { fromOpenApiSchema } from './from-openapi.ts';
import type { JsonSchema } from './walk.ts';

function from30(schema: JsonSchema): JsonSchema {
  return fromOpenApiSchema(schema, { version: '3.0', direction: 'request' });
}

test('makes nullable a type, only beside a type, and leaves the enum as it is', () => {
  expect(from30({ type: 'string', nullable: true, enum: ['a'] })).toEqual({
    type: ['string', 'null'],
    enum: ['a'],
  });
  expect(from30({ nullable: true, enum: ['a'] })).toEqual({ enum: ['a'] });
  expect(from30({ type: 'string', nullable: false })).toEqual({ type: 'string' });
});

test('makes boolean exclusive bounds bounds of their own', () => {
  expect(from30({ minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: false })).toEqual({
    exclusiveMinimum: 1,
    maximum: 2,
  });
  expect(from30({ exclusiveMinimum: true })).toEqual({});
});

test('drops what stands beside a reference in 3.0 and keeps it in 3.1', () => {
  const schema = { $ref: '#/$defs/A', minLength: 2, $defs: { A: { type: 'string', nullable: true } } };
  expect(from30(schema)).toEqual({ $ref: '#/$defs/A', $defs: { A: { type: ['string', 'null'] } } });
  expect(fromOpenApiSchema(schema, { version: '3.1', direction: 'request' })).toMatchObject({ minLength: 2 });
});

test('drops what only describes', () => {
  const schema = {
    type: 'object',
    externalDocs: { url: 'https://example.com' },
    discriminator: { propertyName: 'a' },
    'x-a': 1,
  };
  expect(from30(schema)).toEqual({ type: 'object' });
});

test('keeps how a value is written in XML', () => {
  expect(from30({ type: 'object', xml: { name: 'a' } })).toEqual({ type: 'object', xml: { name: 'a' } });
});

test('takes an example for one of the examples', () => {
  expect(from30({ type: 'object', example: { $ref: '#/a' } })).toEqual({
    type: 'object',
    examples: [{ $ref: '#/a' }],
  });
  expect(fromOpenApiSchema({ examples: [1], example: 2 }, { version: '3.1', direction: 'request' })).toEqual({
    examples: [1, 2],
  });
});

test('is not confused by properties named like keywords, nor by what stands in enum and default', () => {
  const looksLikeSchema = { type: 'string', nullable: true, example: 1 };
  const schema = {
    type: 'object',
    properties: {
      properties: looksLikeSchema,
      enum: looksLikeSchema,
      example: looksLikeSchema,
      'x-a': looksLikeSchema,
    },
    enum: [looksLikeSchema],
    default: looksLikeSchema,
  };
  const converted = { type: ['string', 'null'], examples: [1] };
  expect(from30(schema)).toEqual({
    type: 'object',
    properties: { properties: converted, enum: converted, example: converted, 'x-a': converted },
    enum: [looksLikeSchema],
    default: looksLikeSchema,
  });
});

test.each(['3.0', '3.1'] as const)('does not require in %s what travels the other way', (version) => {
  const schema = {
    allOf: [{ properties: { id: { type: 'integer', readOnly: true } } }, { required: ['id', 'name'] }],
    properties: { secret: { $ref: '#/$defs/Secret' }, name: { type: 'string' } },
    required: ['secret', 'name'],
    $defs: { Secret: { type: 'string', writeOnly: true } },
  };
  expect(fromOpenApiSchema(schema, { version, direction: 'request' })).toMatchObject({
    allOf: [{}, { required: ['name'] }],
    required: ['secret', 'name'],
  });
  expect(fromOpenApiSchema(schema, { version, direction: 'response' })).toMatchObject({
    allOf: [{}, { required: ['id', 'name'] }],
    required: ['name'],
  });
});

test('says what an allOf says twice once, each part in its place', () => {
  const schema: JsonSchema = {
    allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/A' }, { type: 'object' }],
    $defs: { A: {} },
  };
  expect(fromOpenApiSchema(schema, { version: '3.1', direction: 'request' })).toMatchObject({
    allOf: [{ $ref: '#/$defs/A' }, true, { type: 'object' }],
  });
});

const nullableLists: readonly JsonSchema[] = [
  { nullable: true, allOf: [{ type: 'string' }] },
  { nullable: true, oneOf: [{ type: 'string' }, { type: 'integer' }] },
  { nullable: true, title: 'A', type: 'string', anyOf: [{ minLength: 2 }, { pattern: '^x' }] },
];
const asIs = (reference: string): string => reference;
const references = { follow: () => undefined, rename: asIs };

test.each(nullableLists)(
  'allows null by nullable beside a list of schemas before OpenAPI 3.0.3: %j',
  (schema) => {
    const before = fromOpenApiSchema(
      schema,
      { version: '3.0', direction: 'response' },
      { ...references, isNullableWhole: true },
    );
    const nullValue = { type: 'null' };
    expect(before).toMatchObject({ anyOf: [expect.not.objectContaining({ nullable: true }), nullValue] });
    expect(JSON.stringify(from30(schema))).not.toContain(JSON.stringify(nullValue));
  },
);

test('does not allow null if nullable is false or missing', () => {
  for (const schema of [{ allOf: [{ type: 'string' }] }, { nullable: false, allOf: [{ type: 'string' }] }]) {
    const before = fromOpenApiSchema(
      schema,
      { version: '3.0', direction: 'request' },
      { ...references, isNullableWhole: true },
    );
    expect(before).toEqual({ allOf: [{ type: 'string' }] });
  }
});

test('allows null by nullable beside a reference in a request of OpenAPI 3.0 alone', () => {
  const schema = { nullable: true, $ref: '#/$defs/A' };
  const reference = { $ref: '#/$defs/A' };
  expect(from30(schema)).toEqual({ anyOf: [reference, { type: 'null' }] });
  expect(fromOpenApiSchema(schema, { version: '3.0', direction: 'response' })).toEqual(reference);
  expect(fromOpenApiSchema(schema, { version: '3.1', direction: 'request' })).not.toHaveProperty('anyOf');
});
