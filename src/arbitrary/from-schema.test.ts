import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExactNumber } from '../json/exact-number.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { compileSchema } from '../schema/compile.ts';
import type { JsonSchema } from '../schema/walk.ts';
import { judgeValue, plainValues } from './from-schema.ts';

function compile(schema: JsonSchema) {
  return compileSchema({ schema, pointer: '' });
}

function valuesOf(schema: JsonSchema): readonly JsonValue[] {
  const values = plainValues(compile(schema));
  if (values === undefined) throw new Error('no value was found');
  return [values.smallest, values.fullest, ...fc.sample(values.arbitrary, { seed: 7, numRuns: 200 })];
}

const schemas: readonly (readonly [title: string, schema: JsonSchema])[] = [
  ['anything', true],
  ['an empty object', {}],
  ['a string', { type: 'string' }],
  ['a short string', { type: 'string', maxLength: 2 }],
  ['an empty string', { type: 'string', maxLength: 0 }],
  ['a long string', { type: 'string', minLength: 30 }],
  ['an anchored pattern', { type: 'string', pattern: '^[A-Z]{2}-\\d{4}$' }],
  ['a pattern without anchors', { type: 'string', pattern: '[0-9]{3}' }],
  ['a pattern of alternatives', { type: 'string', pattern: '^(red|green|blue)$' }],
  ['alternatives that carry their anchors', { type: 'string', pattern: '^a+$|^b+$' }],
  ['a pattern and a length', { type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 4 }],
  ['a date', { type: 'string', format: 'date' }],
  ['a moment', { type: 'string', format: 'date-time' }],
  ['a time', { type: 'string', format: 'time' }],
  ['a duration', { type: 'string', format: 'duration' }],
  ['an address of mail', { type: 'string', format: 'email' }],
  ['a host name', { type: 'string', format: 'hostname' }],
  ['a uuid', { type: 'string', format: 'uuid' }],
  ['a uri', { type: 'string', format: 'uri' }],
  ['a reference', { type: 'string', format: 'uri-reference' }],
  ['an IPv4 address', { type: 'string', format: 'ipv4' }],
  ['an IPv6 address', { type: 'string', format: 'ipv6' }],
  ['a format that nobody knows', { type: 'string', format: 'colour' }],
  ['an integer', { type: 'integer' }],
  ['an integer in bounds', { type: 'integer', minimum: 10, maximum: 12 }],
  ['an integer between exclusive bounds', { type: 'integer', exclusiveMinimum: 4, exclusiveMaximum: 6 }],
  ['a negative integer', { type: 'integer', maximum: -5 }],
  ['a large integer', { type: 'integer', minimum: 5_000_000_000 }],
  ['an integer past 2^53', { type: 'integer', minimum: new ExactNumber('9007199254740993') }],
  ['a multiple', { type: 'integer', multipleOf: 7, minimum: 20, maximum: 30 }],
  ['a number between 0 and 1', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }],
  ['a price', { type: 'number', multipleOf: 0.01, minimum: 0.5, maximum: 3 }],
  ['a boolean', { type: 'boolean' }],
  ['null', { type: 'null' }],
  ['a nullable string', { type: ['string', 'null'] }],
  ['one of a list', { enum: ['a', 'b', null] }],
  ['a constant', { const: { a: [1] } }],
  ['an array', { type: 'array', items: { type: 'integer' } }],
  ['a long array', { type: 'array', items: { type: 'integer' }, minItems: 5, maxItems: 6 }],
  ['an array of distinct items', { type: 'array', items: { enum: [1, 2, 3] }, uniqueItems: true }],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false }],
  ['an empty array', { type: 'array', maxItems: 0 }],
  [
    'an object',
    { type: 'object', required: ['a'], properties: { a: { type: 'string' }, b: { type: 'integer' } } },
  ],
  [
    'a closed object',
    { type: 'object', required: ['a'], properties: { a: { type: 'string' } }, additionalProperties: false },
  ],
  ['a required property that is not described', { type: 'object', required: ['__proto__', 'x'] }],
  [
    'all of several',
    {
      allOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
        { properties: { a: { maxLength: 4 } } },
      ],
    },
  ],
  [
    'one of several',
    {
      oneOf: [
        { type: 'object', required: ['a'], properties: { a: { const: 1 } } },
        { type: 'object', required: ['b'], properties: { b: { const: 2 } } },
      ],
    },
  ],
  ['any of several', { anyOf: [{ type: 'null' }, { type: 'string' }] }],
  [
    'a definition',
    {
      $ref: '#/$defs/Item',
      $defs: { Item: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } },
    },
  ],
  [
    'a tree',
    {
      $ref: '#/$defs/Node',
      $defs: {
        Node: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, nodes: { type: 'array', items: { $ref: '#/$defs/Node' } } },
        },
      },
    },
  ],
  [
    'an expression that names itself twice',
    {
      $ref: '#/$defs/Term',
      $defs: {
        Term: {
          anyOf: [
            { type: 'integer' },
            ...['plus', 'times', 'minus', 'over'].map((name) => ({
              type: 'object',
              required: ['left', name],
              properties: { left: { $ref: '#/$defs/Term' }, [name]: { $ref: '#/$defs/Term' } },
            })),
          ],
        },
      },
    },
  ],
  ['what is not an integer', { type: 'number', not: { type: 'integer' } }],
  [
    'a condition',
    {
      type: 'object',
      required: ['kind'],
      properties: { kind: { enum: ['a', 'b'] }, size: { type: 'integer' } },
      if: { properties: { kind: { const: 'a' } } },
      else: { required: ['size'] },
    },
  ],
];

test.each(schemas)('every plain value of %s is valid', (_title, schema) => {
  const compiled = compile(schema);
  expect(valuesOf(schema).filter((value) => judgeValue(compiled, value) !== 'valid')).toEqual([]);
});

test('plain texts are 3 to 20 ASCII letters', () => {
  const values = valuesOf({ type: 'string' });
  expect(values.filter((value) => typeof value !== 'string' || !/^[A-Za-z]{3,20}$/u.test(value))).toEqual([]);
  expect(new Set(values).size).toBeGreaterThan(100);
});

test('plain integers are from 1 to 2^31−1', () => {
  const values = valuesOf({ type: 'integer', format: 'int64' }).map(Number);
  expect(values.filter((value) => !Number.isInteger(value) || value < 1 || value > 2 ** 31 - 1)).toEqual([]);
});

test('optional properties are left out of the smallest value and are in the fullest', () => {
  const values = plainValues(
    compile({ type: 'object', required: ['a'], properties: { a: { const: 1 }, b: { const: 2 } } }),
  );
  expect(values?.smallest).toEqual({ a: 1 });
  expect(values?.fullest).toEqual({ a: 1, b: 2 });
});

test('null is no plain value where another is allowed', () => {
  expect(valuesOf({ anyOf: [{ type: 'null' }, { type: 'string' }] })).not.toContain(null);
  expect(valuesOf({ type: ['null', 'integer'] })).not.toContain(null);
});

test('properties that only an answer has are left out', () => {
  const values = valuesOf({ type: 'object', properties: { id: { type: 'string', readOnly: true } } });
  expect(values.every((value) => JSON.stringify(value) === '{}')).toBe(true);
});

test.each<[string, JsonSchema]>([
  ['false', false],
  ['an empty enumeration', { enum: [] }],
  ['types without a common one', { allOf: [{ type: 'string' }, { type: 'integer' }] }],
  ['what must be and must not be', { type: 'string', not: { type: 'string' } }],
  [
    'what names itself without end',
    {
      $ref: '#/$defs/A',
      $defs: { A: { type: 'object', required: ['a'], properties: { a: { $ref: '#/$defs/A' } } } },
    },
  ],
])('no value is found for %s', (_title, schema) => {
  expect(plainValues(compile(schema))).toBeUndefined();
});

test('an example of the document helps where no value can be made up', () => {
  const schema = compile({ type: 'string', pattern: '^(?=.*\\d)(?=.*[A-Z])[A-Z0-9]{8}$' });
  const values = plainValues(schema, ['too short', 'ABCD1234']);
  expect(values && judgeValue(schema, values.smallest)).toBe('valid');
});

test('the same seed gives the same values', () => {
  const sample = (seed: number): readonly JsonValue[] => {
    const values = plainValues(compile({ type: 'object', properties: { a: { type: 'string' } } }));
    return values === undefined ? [] : fc.sample(values.arbitrary, { seed, numRuns: 20 });
  };
  expect(sample(3)).toEqual(sample(3));
  expect(sample(3)).not.toEqual(sample(4));
});

test('a failing value shrinks to the smallest that fails', () => {
  const values = plainValues(
    compile({
      type: 'object',
      required: ['n'],
      properties: { n: { type: 'integer' }, s: { type: 'string' } },
    }),
  );
  const outcome = fc.check(
    fc.property(values?.arbitrary ?? fc.constant(null), (value) => {
      return !isJsonObject(value) || Number(value['n']) < 1000;
    }),
    { seed: 1 },
  );
  expect(outcome.counterexample).toEqual([{ n: 1000 }]);
});

function countValues(value: JsonValue): number {
  const members = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return members.reduce<number>((sum, member) => sum + countValues(member), 1);
}

test('a body holds no more than a few hundred values, however much a schema offers', () => {
  const names = Array.from({ length: 30 }, (_, index) => `property${index}`);
  const inner = { type: 'array', items: { $ref: '#/$defs/Wide' } };
  const properties = Object.fromEntries(names.map((name) => [name, inner]));
  const values = plainValues(
    compile({ $ref: '#/$defs/Wide', $defs: { Wide: { type: 'object', properties } } }),
  );
  expect(values?.fullest).toHaveProperty('property29');
  expect(countValues(values?.fullest ?? null)).toBeLessThan(1_000);
});

test('a long list is made of a few items, and what is longer than anybody could send is not made at all', () => {
  const numbers = (minItems: number) => ({ type: 'array', items: { type: 'number' }, minItems });
  const long = plainValues(compile(numbers(10_000)));
  expect(long?.smallest).toHaveLength(10_000);
  const [one = []] = long === undefined ? [] : fc.sample(long.arbitrary, { numRuns: 1, seed: 1 });
  expect(one).toHaveLength(10_000);
  // To draw each of them would take minutes where each is tried smaller.
  expect(new Set(Object.values(Object(one))).size).toBeLessThan(50);
  expect(plainValues(compile(numbers(1_000_000_000)))).toBeUndefined();
  expect(plainValues(compile({ type: 'string', minLength: 1_000_000_000 }))).toBeUndefined();
});

test('no text is made for a pattern that asks for a very long one', () => {
  expect(plainValues(compile({ type: 'string', pattern: '^(a{1000}){50}$' }))).toBeUndefined();
  expect(
    plainValues(compile({ type: 'string', pattern: '^(((a{1000}){1000}){1000}){1000}$' })),
  ).toBeUndefined();
});

test.each([20, 24, 25, 29])('a time of %i characters is written as long as its schema wants it', (length) => {
  const time = { type: 'string', format: 'date-time', minLength: length, maxLength: length };
  expect(plainValues(compile(time))?.smallest).toHaveLength(length);
});

/** How many values are made up and judged for a schema that none fits. */
function countTries(schema: JsonSchema): number {
  let judged = 0;
  const never = compile(schema);
  const counted: typeof never = {
    ...never,
    validator(mode) {
      const { accepts } = never.validator(mode);
      const count: typeof accepts = (...value) => {
        judged += 1;
        return accepts(...value);
      };
      return Object.assign(() => [], { accepts: count });
    },
  };
  expect(plainValues(counted)).toBeUndefined();
  return judged;
}

test('a large body that is wrong each time is given up after a few tries', () => {
  const list = { type: 'array', minItems: 5_000, items: { type: 'integer' } };
  const odd = { type: 'string', format: 'date-time', minLength: 21, maxLength: 23 };
  const tries = countTries({ type: 'object', required: ['list', 'odd'], properties: { list, odd } });
  expect(tries).toBeLessThan(50);
});

test('nothing is tried for a text that its pattern wants longer than its length allows', () => {
  const id = { type: 'string', pattern: '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}', maxLength: 32 };
  expect(countTries({ type: 'object', required: ['id'], properties: { id } })).toBe(0);
});

test('plain values show the examples of the document, the smallest without what is not required', () => {
  const schema = compileSchema({
    schema: {
      type: 'object',
      required: ['line'],
      properties: {
        note: { type: 'string' },
        line: {
          type: 'object',
          required: ['product'],
          properties: { product: { type: 'string', examples: ['TEAPOT-2'] }, count: { type: 'integer' } },
        },
      },
    },
    pointer: '',
  });
  expect(plainValues(schema)?.smallest).toEqual({ line: { product: 'TEAPOT-2' } });
  const shown = { note: 'new', line: { product: 'CUP-1', count: 2 } };
  expect(plainValues(schema, [{ line: 1 }, shown])?.smallest).toEqual({ line: { product: 'CUP-1' } });
  expect(plainValues(schema, [shown])?.fullest).toEqual(shown);
});

test('an example that its schema rejects is not sent', () => {
  const schema = compileSchema({
    schema: { type: 'string', maxLength: 3, examples: ['too long'] },
    pointer: '',
  });
  expect(plainValues(schema)?.smallest).toMatch(/^[a-z]{3}$/iu);
});
