import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExactNumber } from '../../json/exact-number.ts';
import { holdsExactNumber, type JsonObject } from '../../json/value.ts';
import { compileSchema } from '../compile.ts';
import { generateValue, repairSample, sampleValue } from './sample-value.ts';
import { mergeSchema } from '../merge.ts';

test('folds references and allOf into one object', () => {
  const root = {
    $defs: { base: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
  };
  const merged = mergeSchema(root, {
    allOf: [{ $ref: '#/$defs/base' }, { required: ['id'], properties: { id: { type: 'integer' } } }],
  });
  expect(merged).toEqual({
    type: 'object',
    required: ['name', 'id'],
    properties: { name: { type: 'string' }, id: { type: 'integer' } },
  });
});

test('asks of a property that two parts declare what both say', () => {
  const merged = mergeSchema(
    {},
    { allOf: [{ properties: { a: { minimum: 1 } } }], properties: { a: { maximum: 2 } } },
  );
  expect(merged['properties']).toEqual({ a: { allOf: [{ minimum: 1 }, { maximum: 2 }] } });
});

test('keeps what stands beside a reference on the way', () => {
  const root = { $defs: { a: { $ref: '#/$defs/b', required: ['x'] }, b: { type: 'object' } } };
  expect(mergeSchema(root, { $ref: '#/$defs/a' })).toEqual({ type: 'object', required: ['x'] });
});

test('takes the first branch that is not null alone', () => {
  expect(mergeSchema({}, { oneOf: [{ type: 'null' }, { type: 'integer' }, { type: 'string' }] })).toEqual({
    type: 'integer',
  });
});

test('comes to an end on a schema that holds itself', () => {
  const root = { $defs: { loop: { $ref: '#/$defs/loop', type: 'object' } } };
  expect(mergeSchema(root, { $ref: '#/$defs/loop' })).toEqual({ type: 'object' });
});

function sampleOf(schema: JsonObject): unknown {
  return sampleValue(schema);
}

const bounds = fc.record(
  {
    type: fc.constantFrom('integer', 'number'),
    minimum: fc.integer({ min: -1000, max: 1000 }),
    maximum: fc.integer({ min: 1001, max: 5000 }),
    multipleOf: fc.constantFrom(1, 2, 7, 0.5),
  },
  { requiredKeys: ['type'] },
);
const lengths = fc.record(
  {
    type: fc.constant('string'),
    minLength: fc.integer({ min: 0, max: 20 }),
    maxLength: fc.integer({ min: 20, max: 40 }),
  },
  { requiredKeys: ['type'] },
);
const { schema: schemas } = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    bounds,
    lengths,
    fc.constantFrom<JsonObject>(
      { type: ['string', 'null'] },
      { enum: ['a', 'b'] },
      { const: null },
      { type: 'boolean' },
    ),
    fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.integer({ min: 0, max: 3 }) }),
    fc
      .dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), tie('schema'))
      .map((properties) => ({ type: 'object', properties, required: Object.keys(properties) })),
  ),
}));

test('makes values that their schema accepts', () => {
  fc.assert(
    fc.property(schemas, (schema) => {
      const value = sampleValue(schema);
      const validate = compileSchema({ schema, pointer: '' }).validator({
        formats: 'assert',
        integers: 'by-value',
      });
      expect(value).toBeDefined();
      expect(validate(value ?? null, holdsExactNumber(value ?? null))).toEqual([]);
    }),
  );
});

test('takes what the document offers: a const, a default, an example, the first of an enum', () => {
  expect(sampleOf({ type: 'string', enum: ['a', 'b'], default: 'b' })).toBe('b');
  expect(sampleOf({ type: 'string', enum: ['a', 'b'] })).toBe('a');
  expect(sampleOf({ type: 'string', examples: ['c'] })).toBe('c');
});

test('keeps to bounds past the digits of a JavaScript number', () => {
  const minimum = new ExactNumber('9007199254740993');
  expect(sampleOf({ type: 'integer', minimum })).toBe(minimum);
});

test('leaves out what is not required', () => {
  expect(
    sampleOf({
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    }),
  ).toEqual({ a: 1 });
});

test('leaves out what may be left out where nothing is known to fit it', () => {
  const never = { type: 'string', pattern: '^(?=a)b$' };
  const properties = { name: { type: 'string' }, code: never };
  const generated = { valueFromNames: () => undefined, names: [], seed: '', without: 'writeOnly' } as const;
  expect(generateValue({ type: 'object', properties }, generated)).toEqual({ name: 'text' });
  expect(generateValue({ type: 'object', properties, required: ['code'] }, generated)).toHaveProperty('code');
});

test('comes to an end on a schema that requires itself', () => {
  const root: JsonObject = {
    $defs: { node: { type: 'object', required: ['next'], properties: { next: { $ref: '#/$defs/node' } } } },
  };
  expect(sampleValue({ $ref: '#/$defs/node', ...root })).toBeDefined();
});

test.each(['date-time', 'date', 'uuid', 'email', 'uri', 'ipv4', 'ipv6', 'hostname', 'time'])(
  'makes a %s',
  (format) => {
    const schema = { type: 'string', format };
    const validate = compileSchema({ schema, pointer: '' }).validator({
      formats: 'assert',
      integers: 'by-value',
    });
    expect(validate(sampleValue(schema) ?? null, false)).toEqual([]);
  },
);

test('writes a time as long as its schema wants it', () => {
  const time = { type: 'string', format: 'date-time' };
  expect(sampleValue({ ...time, minLength: 25, maxLength: 25 })).toBe('2026-01-01T00:00:00+00:00');
  expect(sampleValue({ ...time, minLength: 21, maxLength: 24 })).toBe('2026-01-01T00:00:00.000Z');
  expect(sampleValue(time)).toBe('2026-01-01T00:00:00Z');
});

test('makes no text and no list that nobody could send', () => {
  expect(sampleValue({ type: 'string', minLength: 1_000_000_000 })).toBe('text');
  const list = sampleValue({ type: 'array', items: { type: 'integer' }, minItems: 1_000_000_000 });
  expect(Array.isArray(list) && list.length).toBeLessThan(100_000);
});

test('mends nothing that has to fit one branch of several', () => {
  const label = { oneOf: [{ type: 'string' }, { type: 'object', properties: { name: { type: 'string' } } }] };
  const users = { type: 'array', items: { type: 'object' } };
  const schema = {
    type: 'object',
    properties: { labels: { type: 'array', items: label }, label, users },
  };
  const value = { labels: [{ name: 'new' }, 'old'], label: { name: 'new' }, users: ['a'] };
  expect(repairSample(schema, value)).toEqual({ ...value, users: [{}] });
});

test.each([
  ['exclusiveMinimum', '1e400', undefined],
  ['exclusiveMaximum', '-1e400', undefined],
  ['multipleOf', '1e400', 0],
  ['minimum', '1e400', '1e400'],
])('makes what it can of a number whose %s is past what a double holds', (keyword, bound, made) => {
  const value = sampleValue({ type: 'number', [keyword]: new ExactNumber(bound) });
  expect(value instanceof ExactNumber ? value.text : value).toBe(made);
});

const madeUpPlainly = (schema: JsonObject): unknown =>
  generateValue(schema, {
    valueFromNames: () => undefined,
    names: ['stock'],
    seed: '1',
    without: 'writeOnly',
  });

test('makes up entries of a map', () => {
  const values = { type: 'integer', minimum: 0 };
  expect(madeUpPlainly({ type: 'object', additionalProperties: values })).toEqual({ key1: 1, key2: 1 });
  expect(madeUpPlainly({ additionalProperties: values, maxProperties: 1 })).toEqual({ key1: 1 });
  expect(madeUpPlainly({ additionalProperties: values, minProperties: 3 })).toMatchObject({ key3: 1 });
});

test.each<JsonObject>([
  { type: 'object', additionalProperties: true },
  { type: 'object', additionalProperties: false },
  { type: 'object', additionalProperties: { type: 'integer' }, propertyNames: { pattern: '^x' } },
  { type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 0 },
  { type: 'object' },
])('makes up no entries of %j', (schema) => {
  expect(madeUpPlainly(schema)).toEqual({});
});

test('makes up no entries beside declared properties', () => {
  const schema = { properties: { n: { type: 'integer' } }, additionalProperties: { type: 'integer' } };
  expect(madeUpPlainly(schema)).toEqual({ n: 1 });
});
