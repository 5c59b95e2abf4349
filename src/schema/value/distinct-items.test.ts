import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { compileSchema } from '../compile.ts';
import { distinctItems } from './distinct-items.ts';
import { generateValue, sampleValue } from './sample-value.ts';

const merge = (schema: JsonObject): JsonObject => schema;
const accepts = (schema: JsonObject, value: JsonValue | undefined): boolean =>
  value !== undefined &&
  compileSchema({ schema, pointer: '' })
    .validator({ formats: 'assert', integers: 'by-value' })
    .accepts(value, false);

test.each<[string, JsonObject]>([
  ['integers within bounds', { type: 'integer', minimum: 1, maximum: 3 }],
  ['numbers in steps', { type: 'number', multipleOf: 0.1, maximum: 0.2 }],
  ['listed texts', { type: 'string', enum: ['cook', 'waiter', 'host'] }],
  ['texts', { type: 'string' }],
  ['short texts', { type: 'string', maxLength: 1 }],
  ['texts of a length', { type: 'string', minLength: 9, maxLength: 9 }],
  [
    'objects',
    { type: 'object', required: ['on', 'n'], properties: { on: { const: 1 }, n: { type: 'integer' } } },
  ],
])('a list of unique items has different %s', (_, items) => {
  const schema = { type: 'array', minItems: 3, uniqueItems: true, items };
  const generated = { valueFromNames: () => undefined, names: [], seed: '1', without: 'writeOnly' } as const;
  expect(accepts(schema, sampleValue(schema))).toBe(true);
  expect(accepts(schema, generateValue(schema, generated))).toBe(true);
});

test('has as many different items as there are', () => {
  const wanted = { wanted: 4, schema: { type: 'boolean' }, merge };
  expect(distinctItems([true, true], wanted)).toEqual([true, false]);
  expect(distinctItems([1, 1], { wanted: 4, schema: { const: 1 }, merge })).toEqual([1]);
});

test('leaves items as they are if nothing says that they differ', () => {
  expect(sampleValue({ type: 'array', minItems: 2, items: { type: 'integer' } })).toEqual([1, 1]);
});

test.each<JsonObject>([
  { type: 'number', minimum: 1e300 },
  { type: 'integer', multipleOf: 0 },
  { type: 'string', pattern: '^a$' },
])('gives up on items of %j', (schema) => {
  expect(distinctItems([1e300, 1e300], { wanted: 3, schema, merge })).toHaveLength(1);
});
