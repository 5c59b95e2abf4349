import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { buildContract } from './build.ts';
import { findInvalidParameters } from './check-parameters.ts';
import { type Parameter, type ParameterSource, toParameterSource } from './read-parameters.ts';

function build(parameter: JsonObject, version: '3.0' | '3.1' = '3.1'): Parameter {
  const openapi = `${version}.0`;
  const { operations } = buildContract({
    source: 'orders.yaml',
    version,
    openapi,
    root: {
      openapi,
      paths: { '/orders/{id}': { get: { parameters: [parameter], responses: {} } } },
    },
    locate: () => undefined,
  });
  const [built] = operations[0]?.parameters ?? [];
  if (built === undefined) throw new Error('the parameter was left out');
  return built;
}

function source(text: string): ParameterSource {
  return toParameterSource({
    target: `/?${text}`,
    path: { id: text },
    header: (name) => (name === 'cookie' ? `session=${text}` : text),
  });
}

const integers = { type: 'array', items: { type: 'integer' } };
const point = { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'integer' } } };

test.each<[JsonObject, string, JsonValue | undefined]>([
  [{ name: 'limit', in: 'query', schema: { type: 'integer' } }, 'limit=5', 5],
  [{ name: 'limit', in: 'query', schema: { type: 'integer' } }, 'limit=five', 'five'],
  [{ name: 'limit', in: 'query', schema: { type: 'integer' } }, 'other=5', undefined],
  [{ name: 'dry', in: 'query', schema: { type: 'boolean' } }, 'dry=true', true],
  [{ name: 'q', in: 'query', schema: { type: 'string' } }, 'q=5', '5'],
  [{ name: 'n', in: 'query', schema: integers }, 'n=1&n=2', [1, 2]],
  [{ name: 'n', in: 'query', explode: false, schema: integers }, 'n=1,2', [1, 2]],
  [{ name: 'n', in: 'query', style: 'pipeDelimited', explode: false, schema: integers }, 'n=1|2', [1, 2]],
  [{ name: 'p', in: 'query', style: 'deepObject', schema: point }, 'p[x]=1&p[y]=2', { x: 1, y: 2 }],
  [{ name: 'p', in: 'query', schema: point }, 'x=1&y=2', { x: 1, y: 2 }],
  [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }, '17', 17],
  [{ name: 'id', in: 'path', required: true, style: 'label', schema: { type: 'integer' } }, '.17', 17],
  [{ name: 'id', in: 'path', required: true, style: 'matrix', schema: { type: 'integer' } }, ';id=17', 17],
  [{ name: 'id', in: 'path', required: true, schema: integers }, '1,2', [1, 2]],
  [{ name: 'id', in: 'path', required: true, schema: point }, 'x,1,y,2', { x: 1, y: 2 }],
  [{ name: 'id', in: 'path', required: true, explode: true, schema: point }, 'x=1,y=2', { x: 1, y: 2 }],
  [{ name: 'X-Trace', in: 'header', schema: { type: 'string' } }, 'abc', 'abc'],
  [{ name: 'session', in: 'cookie', schema: { type: 'string' } }, 'abc', 'abc'],
  [{ name: 'f', in: 'query', content: { 'application/json': { schema: point } } }, 'f={"x":1}', { x: 1 }],
])('reads %j in %s as %j', (parameter, text, value) => {
  expect(build(parameter).read(source(text))[0]).toEqual(value);
});

test('says what is wrong with a parameter, and where', () => {
  const reading = { formats: 'assert', integers: 'by-value' } as const;
  const limit = build({
    name: 'limit',
    in: 'query',
    required: true,
    schema: { type: 'integer', maximum: 100 },
  });
  expect(findInvalidParameters([limit], source('limit=500'), reading)).toMatchObject([
    { keyword: 'maximum' },
  ]);
  expect(findInvalidParameters([limit], source(''), reading)).toMatchObject([
    { keyword: 'required', reason: 'the query parameter "limit" is required, but missing' },
  ]);
  expect(findInvalidParameters([limit], source('limit=abc'), reading)[0]?.reason).toBe(
    'the query parameter "limit" must be an integer, but is a string',
  );
  expect(findInvalidParameters([limit], source('limit=7'), reading)).toEqual([]);
});

const listOf = (items: JsonObject): JsonObject => ({
  name: 'n',
  in: 'query',
  explode: false,
  schema: { type: 'array', items },
});
const word = { type: 'string', pattern: '^[a-z]+(?:-(?:x|y))?$' };

test.each<[string, JsonObject, string, JsonValue]>([
  ['integers', { type: 'integer' }, 'n=1%2C2', [1, 2]],
  ['integers in lower case', { type: 'integer' }, 'n=1%2c2,3', [1, 2, 3]],
  ['booleans', { type: 'boolean' }, 'n=true%2Cfalse', [true, false]],
  ['words of an enum', { type: 'string', enum: ['new', 'sold'] }, 'n=new%2Csold', ['new', 'sold']],
  ['words of a pattern', word, 'n=a%2Cb-x', ['a', 'b-x']],
  ['UUIDs', { type: 'string', format: 'uuid' }, 'n=a%2Cb', ['a', 'b']],
  ['a word or a number', { anyOf: [{ const: 'all' }, { type: 'number' }] }, 'n=all%2C1.5', ['all', 1.5]],
])('reads an encoded comma as a separator of %s', (_, items, text, value) => {
  expect(build(listOf(items)).read(source(text))).toEqual([value]);
});

test.each<[string, JsonObject]>([
  ['items may hold a comma', { type: 'string' }],
  ['nothing is declared of the items', {}],
  ['a word of the enum holds a comma', { enum: ['a,b', 'c'] }],
  ['the pattern allows a comma', { type: 'string', pattern: '^[a-z,]+$' }],
  ['the pattern excludes other characters alone', { type: 'string', pattern: '^[^x]+$' }],
  ['the pattern is not anchored', { type: 'string', pattern: '[a-z]' }],
  ['the pattern is anchored in each alternative alone', { type: 'string', pattern: '^a|b$' }],
  ['one alternative may hold a comma', { anyOf: [{ type: 'integer' }, { type: 'string' }] }],
])('reads a%%2Cb as one text if %s', (_, items) => {
  expect(build(listOf(items)).read(source('n=a%2Cb'))).toEqual([['a,b']]);
});

const filter: JsonObject = {
  name: 'f',
  in: 'query',
  style: 'deepObject',
  schema: {
    type: 'object',
    properties: {
      state: { type: 'array', items: { type: 'string' } },
      size: { type: 'array', items: { type: 'integer' } },
      name: { type: 'string' },
      tag: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    },
  },
};

test.each<[string, string, JsonValue]>([
  ['repeats the name of a list', 'f[state]=a&f[state]=b', { state: ['a', 'b'] }],
  ['has one item', 'f[state]=a', { state: ['a'] }],
  ['writes empty brackets', 'f%5Bsize%5D%5B%5D=1&f[size][]=2', { size: [1, 2] }],
  ['numbers the items', 'f[size][1]=7&f[size][0]=5', { size: [5, 7] }],
  ['has a comma in an item', 'f[state]=a,b', { state: ['a,b'] }],
  ['repeats the name of a text', 'f[name]=a&f[name]=b', { name: 'b' }],
  ['writes brackets behind the name of a text', 'f[name][0]=a', { 'name][0': 'a' }],
  ['has a word in the inner brackets', 'f[state][x]=a', { 'state][x': 'a' }],
  ['may be a text', 'f[tag]=a', { tag: 'a' }],
  ['may be a text, but is a list', 'f[tag][]=a', { tag: ['a'] }],
  ['may be a text, but is repeated', 'f[tag]=a&f[tag]=b', { tag: ['a', 'b'] }],
])('reads a deepObject that %s', (_, text, value) => {
  expect(build(filter).read(source(text))).toEqual([value]);
});

const label = (schema: JsonObject): JsonObject => ({ name: 'id', in: 'path', style: 'label', schema });
const numbers = { type: 'array', items: { type: 'number' } };
const texts = { type: 'array', items: { type: 'string' } };

test.each<[string, JsonObject, string, '3.0' | '3.1', readonly JsonValue[]]>([
  ['dots in OpenAPI 3.0', integers, '.3.7', '3.0', [[3, 7], [3.7]]],
  ['commas in OpenAPI 3.0', integers, '.3,7', '3.0', [[3, 7]]],
  ['commas, though items hold dots', numbers, '.3.5,7', '3.0', [[3.5, 7]]],
  ['an object with dots', point, '.x.1.y.2', '3.0', [{ x: 1, y: 2 }, { 'x.1.y.2': '' }]],
  ['a text with a dot', { type: 'string' }, '.a.b', '3.0', ['a.b']],
  ['one text with a dot in OpenAPI 3.1', texts, '.a.b', '3.1', [['a.b']]],
])('reads a label without explode: %s', (_, schema, text, version, values) => {
  expect(build(label(schema), version).read(source(text))).toEqual(values);
});

test('separates an exploded label by dots alone', () => {
  const parameter = build({ ...label(texts), explode: true }, '3.0');
  expect(parameter.read(source('.a,b.c'))).toEqual([['a,b', 'c']]);
});

test.each<[string, JsonObject, boolean | undefined]>([
  ['1', { type: 'boolean' }, true],
  ['True', { type: 'boolean' }, true],
  ['off', { type: 'boolean' }, true],
  ['maybe', { type: 'boolean' }, undefined],
  ['', { type: 'boolean' }, undefined],
  ['0', { type: 'boolean', enum: [true] }, undefined],
  ['yes', { type: 'integer' }, undefined],
  ['yes', { type: 'array', items: { type: 'boolean' } }, true],
])('reports whether %j may be a boolean of %j', (text, schema, expected) => {
  const reading = { formats: 'ignore', integers: 'by-value' } as const;
  const parameter = build({ name: 'n', in: 'query', schema });
  const [found] = findInvalidParameters([parameter], source(`n=${text}`), reading);
  expect(found).toBeDefined();
  expect(found?.mayBeBoolean).toBe(expected);
});
