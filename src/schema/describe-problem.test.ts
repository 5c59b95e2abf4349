import { expect, test } from 'vitest';
import { parseJson } from '../json/parse.ts';
import type { JsonValue } from '../json/value.ts';
import { compileSchema } from './compile.ts';
import { describeSchemaProblem } from './describe-problem.ts';
import type { SchemaProblem } from './problems.ts';
import type { JsonSchema } from './walk.ts';

function judge(
  schema: JsonSchema,
  body: string,
): { readonly problems: readonly SchemaProblem[]; readonly value: JsonValue } {
  const parsed = parseJson(body);
  if (parsed.kind !== 'json') throw new Error(parsed.reason);
  const validate = compileSchema({ schema, pointer: '' }).validator({
    formats: 'assert',
    integers: 'by-value',
  });
  return { problems: validate(parsed.value, parsed.exact), value: parsed.value };
}

function describe(schema: JsonSchema, body: string): readonly string[] {
  const { problems, value } = judge(schema, body);
  return problems.map((problem) => describeSchemaProblem({ problem, value }));
}

const item: JsonSchema = {
  $ref: '#/$defs/New',
  $defs: {
    Item: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, tag: { type: 'string' } },
    },
    New: {
      allOf: [
        { $ref: '#/$defs/Item' },
        { type: 'object', required: ['id'], properties: { id: { type: 'integer', format: 'int64' } } },
      ],
    },
  },
};

test.each([
  ['{"id":"1","name":"a"}', '/id must be an integer, but is a string'],
  ['{"id":1}', '/name is required, but missing'],
  ['{"id":1.0}', '/name is required, but missing'],
  [
    '{"id":9223372036854775808,"name":"a"}',
    '/id must be at most 9223372036854775807 (int64), but is 9223372036854775808',
  ],
  ['{"id":-1e19,"name":"a"}', '/id must be at least -9223372036854775808 (int64), but is -1e19'],
  [
    '{"id":10000000000000000000,"name":"a"}',
    '/id must be at most 9223372036854775807 (int64), but is 10000000000000000000',
  ],
  ['{"id":1.5,"name":"a"}', '/id must be an integer, but is 1.5'],
  ['{"id":1,"name":null}', '/name must be a string, but is null'],
  ['[]', 'the body must be an object, but is an array'],
  ['1.0', 'the body must be an object, but is a number'],
])('says of %s: %s', (body, sentence) => {
  expect(describe(item, body)).toEqual([sentence]);
});

test('names everything that is wrong, in the order of the schema', () => {
  expect(describe(item, '{"tag":1}')).toEqual([
    '/name is required, but missing',
    '/tag must be a string, but is a number',
    '/id is required, but missing',
  ]);
});

test.each<[JsonSchema, string, string]>([
  [{ properties: { a: { minimum: 1 } } }, '{"a":0}', '/a must be at least 1, but is 0'],
  [{ maximum: 1 }, '1.50', 'the body must be at most 1, but is 1.50'],
  [{ exclusiveMinimum: 1 }, '1', 'the body must be greater than 1, but is 1'],
  [{ exclusiveMaximum: 1 }, '1.0', 'the body must be less than 1, but is 1.0'],
  [{ multipleOf: 0.1 }, '0.25', 'the body must be a multiple of 0.1, but is 0.25'],
  [{ minLength: 2 }, '"😀"', 'the body must have at least 2 characters, but has 1'],
  [{ maxItems: 1 }, '[1,2]', 'the body must have at most 1 item, but has 2'],
  [{ minProperties: 1 }, '{}', 'the body must have at least 1 property, but has 0'],
  [{ prefixItems: [true], items: false }, '[1,2]', 'the body must have at most 1 item, but has 2'],
  [
    { contains: { type: 'string' } },
    '[]',
    'the body must have at least 1 item of the kind that it must contain',
  ],
  [{ pattern: '^a$' }, '"b"', 'the body must match the pattern ^a$, but is "b"'],
  [{ format: 'email' }, '"b"', 'the body must have the format email, but is "b"'],
  [{ format: 'int32' }, '1.5', 'the body must be an integer (int32), but is 1.5'],
  [{ enum: ['a', 1, null] }, '"b"', 'the body must be "a", 1 or null, but is "b"'],
  [{ const: 'a' }, '"b"', 'the body must be "a", but is "b"'],
  [{ uniqueItems: true }, '[1,2,1.0]', 'the body must not hold an item twice, but items 0 and 2 are equal'],
  [{ additionalProperties: false }, '{"a/b":1}', '/a~1b is not a property that may stand here'],
  [{ unevaluatedProperties: false }, '{"a":1}', '/a is not a property that may stand here'],
  [{ propertyNames: { maxLength: 1 } }, '{"ab":1}', '/ab is not a name that a property may have here'],
  [{ dependentRequired: { a: ['b'] } }, '{"a":1}', '/b is required, but missing'],
  [{ properties: { a: false } }, '{"a":1}', '/a may not stand here'],
  [{ not: { type: 'string' } }, '"a"', 'the body matches what is excluded, but is "a"'],
  [
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    { if: { type: 'string' }, then: { minLength: 1 } },
    '""',
    'the body must have at least 1 character, but has 0',
  ],
])('says what %j asks for', (schema, body, sentence) => {
  expect(describe(schema, body)).toEqual([sentence]);
});

test('never shows a long value', () => {
  const long = 'x'.repeat(100);
  const sentences = describe(
    { properties: { a: { format: 'email' } }, additionalProperties: { enum: [long] } },
    JSON.stringify({ a: long, b: `${long}y` }),
  );
  expect(sentences).toEqual([
    '/b must be one of the values that are allowed',
    '/a must have the format email',
  ]);
});

test('calls the whole value what it is told', () => {
  const { problems, value } = judge({ type: 'integer' }, '"a"');
  const sentences = problems.map((problem) =>
    describeSchemaProblem({ problem, value, subject: 'the query parameter "limit"' }),
  );
  expect(sentences).toEqual(['the query parameter "limit" must be an integer, but is a string']);
});

const shapes: JsonSchema = {
  oneOf: [{ $ref: '#/$defs/Circle' }, { $ref: '#/$defs/Square' }],
  $defs: {
    Circle: {
      type: 'object',
      required: ['kind', 'radius'],
      properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
    },
    Square: {
      type: 'object',
      required: ['kind', 'side'],
      properties: { kind: { const: 'square' }, side: { type: 'number' } },
    },
  },
};

test.each<[JsonSchema, string, readonly string[]]>([
  [shapes, '{"kind":"square","side":"1"}', ['/side must be a number, but is a string']],
  [shapes, '{"kind":"circle"}', ['/radius is required, but missing']],
  [shapes, '{"kind":"line"}', ['/kind must be "circle" or "square", but is "line"']],
  [shapes, '1', ['the body must be an object, but is a number']],
  [
    { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    'null',
    ['the body must be a string or an integer, but is null'],
  ],
  [{ anyOf: [{ type: 'null' }, { type: 'object', required: ['a'] }] }, '{}', ['/a is required, but missing']],
  [{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }, '{}', ['the body must have "a" or "b"']],
  [
    { oneOf: [{ type: 'number' }, { minimum: 0 }] },
    '1',
    ['the body must match only one of the alternatives, but matches 2'],
  ],
  [
    {
      required: ['z'],
      anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }],
      $defs: {
        A: {
          anyOf: [{ properties: { a: { anyOf: [{ type: 'null' }, { maxLength: 1 }] } } }, { type: 'null' }],
        },
      },
    },
    '{"a":"bc"}',
    ['/z is required, but missing', '/a must have at most 1 character, but has 2'],
  ],
  [
    {
      anyOf: [
        { minimum: 5, maximum: 9 },
        { multipleOf: 2, maximum: 2 },
      ],
    },
    '3',
    ['the body matches none of the alternatives'],
  ],
  [
    {
      allOf: [{ properties: { a: { type: 'string' } } }],
      properties: { b: true },
      unevaluatedProperties: false,
    },
    '{"a":1,"b":2}',
    ['/a must be a string, but is a number'],
  ],
])('gives one sentence for each cause under %j', (schema, body, sentences) => {
  expect([...describe(schema, body)].toSorted()).toEqual([...sentences].toSorted());
});

test('points into the schema, through references', () => {
  const { problems } = judge(item, '{"id":"1","name":1}');
  expect(problems.map(({ pointer, schemaPointer }) => [pointer, schemaPointer])).toEqual([
    ['/name', '/$defs/Item/properties/name/type'],
    ['/id', '/$defs/New/allOf/1/properties/id/type'],
  ]);
});

test('says what is wrong in a body of a hundred thousand wrong items without listing each', () => {
  const { problems } = judge(
    { items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
    `[${'1,'.repeat(100_000)}1]`,
  );
  expect(problems.length).toBeGreaterThan(0);
  expect(problems.length).toBeLessThan(1000);
});

const every = { type: 'string', enum: ['every'] };
const identifier = { type: 'string', format: 'uuid' };

test.each<[string, JsonSchema, string, string]>([
  ['a word', { anyOf: [every, { type: 'integer' }] }, '"red"', '"every" or an integer, but is "red"'],
  ['words', { oneOf: [{ enum: ['a', 'b'] }, { type: 'number' }] }, '"c"', '"a", "b" or a number, but is "c"'],
])('names the other types beside %s', (_, schema, body, words) => {
  expect(describe(schema, body)).toEqual([`the body must be ${words}`]);
});

test.each<[string, JsonSchema, string, string]>([
  ['a format', identifier, '"red"', 'have the format uuid or be an integer, but is "red"'],
  ['a pattern', { pattern: '^x' }, '"red"', 'match the pattern ^x or be an integer, but is "red"'],
  ['a length', { maxLength: 1 }, '"red"', 'have at most 1 character or be an integer, but has 3'],
])('names an integer beside %s', (_, first, body, words) => {
  expect(describe({ anyOf: [first, { type: 'integer' }] }, body)).toEqual([`the body must ${words}`]);
});

test.each<[string, JsonSchema, string, string]>([
  ['null', { anyOf: [every, { type: 'null' }] }, '"red"', 'must be "every", but is "red"'],
  ['a string', { anyOf: [every, { type: 'integer', minimum: 1 }] }, '0', 'must be at least 1, but is 0'],
])('does not name %s as another type', (_, schema, body, words) => {
  expect(describe(schema, body)).toEqual([`the body ${words}`]);
});

test('does not name another type for a problem of a property', () => {
  const schema = { anyOf: [{ properties: { a: every } }, { type: 'integer' }] };
  expect(describe(schema, '{"a":"red"}')).toEqual(['/a must be "every", but is "red"']);
});
