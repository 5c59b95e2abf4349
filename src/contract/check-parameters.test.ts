import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { compileSchema } from '../schema/compile.ts';
import { buildContract } from './build.ts';
import { findInvalidParameters, createParameterCheck } from './check-parameters.ts';
import {
  type Parameter,
  type ParameterSource,
  toParameterSource,
  createParameterReader,
} from './read-parameters.ts';

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

interface Sent {
  readonly query?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Changes = Partial<Parameter> & { readonly asks: JsonObject };

function parameterFrom({ asks, ...changes }: Changes): Parameter {
  const place = changes.in ?? 'query';
  const isForm = place === 'query' || place === 'cookie';
  const parameter = {
    name: 'p',
    in: place,
    required: true,
    style: isForm ? 'form' : 'simple',
    explode: isForm,
    mediaType: undefined,
    allowsEmpty: false,
    examples: [],
    schema: compileSchema({ schema: asks, pointer: '' }),
    pointer: '',
    ...changes,
  };
  return { ...parameter, read: createParameterReader({ ...parameter, schema: asks }) };
}

/** What is said of a parameter called `p`, or undefined where it fits. */
function check(changes: Changes, sent: Sent): string | undefined {
  const { query = '', path, headers = {} } = sent;
  const source = toParameterSource({
    target: `/${query}`,
    path: path === undefined ? {} : { p: path },
    header: (name) => headers[name],
  });
  return createParameterCheck(parameterFrom(changes), { formats: 'assert', integers: 'by-value' })(source)
    ?.reason;
}

const integer = { type: 'integer' };
const pair = { type: 'array', items: integer, minItems: 2, maxItems: 2 };
const twoTexts = { type: 'array', items: { enum: ['a,b', 'c'] }, minItems: 2 };
const text = { type: 'string', pattern: '^1' };
const referring = {
  type: 'array',
  items: { $ref: '#/$defs/Number' },
  $defs: { Number: { allOf: [integer] } },
};
const exactPoint = {
  type: 'object',
  required: ['x', 'y'],
  properties: { x: integer, y: integer },
  additionalProperties: false,
};

test.each<[string, Changes, Sent]>([
  ['a number in the query', { asks: integer }, { query: '?p=5' }],
  ['a boolean', { asks: { type: 'boolean' } }, { query: '?p=true' }],
  ['a text that looks like a number', { asks: { type: 'string' } }, { query: '?p=5' }],
  ['encoded text', { asks: { const: 'a b&c' } }, { query: '?p=a+b%26c' }],
  ['a list, one member each', { asks: pair }, { query: '?p=1&p=2' }],
  ['a list with commas', { asks: pair, explode: false }, { query: '?p=1,2' }],
  ['a comma that is meant', { asks: twoTexts, explode: false }, { query: '?p=a%2Cb,c' }],
  ['a comma that is meant in the path', { asks: twoTexts, in: 'path' }, { path: 'a%2Cb,c' }],
  ['a member without a value', { asks: { const: '' } }, { query: '?p' }],
  ['an empty list', { asks: { type: 'array', maxItems: 0 }, explode: false }, { query: '?p=' }],
  ['no value where none is needed', { asks: integer, allowsEmpty: true }, { query: '?p' }],
  ['reserved characters as they are', { asks: { const: 'a/b?c:d@e' } }, { query: '?p=a/b?c:d@e' }],
  ['what is no valid encoding as it is', { asks: { const: '100%' } }, { query: '?p=100%' }],
  ['a number of a list', { asks: { enum: [1, 2] } }, { query: '?p=2' }],
  ['a number through references', { asks: referring }, { query: '?p=1&p=2' }],
  ['a number or a text', { asks: { anyOf: [{ type: 'integer', maximum: 9 }, text] } }, { query: '?p=12' }],
  ['a text or a list', { asks: { anyOf: [{ enum: ['all'] }, pair] } }, { query: '?p=all' }],
  ['a list or a text', { asks: { anyOf: [{ enum: ['all'] }, pair] } }, { query: '?p=1&p=2' }],
  [
    'other properties',
    { asks: { type: 'object', additionalProperties: integer }, style: 'deepObject' },
    { query: '?p[z]=3' },
  ],
  ['null', { asks: { type: ['integer', 'null'] } }, { query: '?p=' }],
  ['a list with spaces', { asks: pair, style: 'spaceDelimited', explode: false }, { query: '?p=1%202' }],
  ['a list with pipes', { asks: pair, style: 'pipeDelimited', explode: false }, { query: '?p=1|2' }],
  ['an object in brackets', { asks: exactPoint, style: 'deepObject' }, { query: '?p[x]=1&p%5By%5D=2' }],
  ['an object, a member each', { asks: exactPoint }, { query: '?x=1&y=2' }],
  ['an object with commas', { asks: exactPoint, explode: false }, { query: '?p=x,1,y,2' }],
  ['JSON', { asks: exactPoint, mediaType: 'application/json' }, { query: '?p=%7B%22x%22:1,%22y%22:2%7D' }],
  ['a number in the path', { asks: integer, in: 'path' }, { path: '5' }],
  ['a list in the path', { asks: pair, in: 'path' }, { path: '1,2' }],
  ['a label', { asks: pair, in: 'path', style: 'label', explode: true }, { path: '.1.2' }],
  ['a matrix', { asks: pair, in: 'path', style: 'matrix', explode: true }, { path: ';p=1;p=2' }],
  ['a matrix of one value', { asks: integer, in: 'path', style: 'matrix' }, { path: ';p=5' }],
  ['a label of one value', { asks: integer, in: 'path', style: 'label' }, { path: '.5' }],
  [
    'an exploded object in a matrix',
    { asks: exactPoint, in: 'path', style: 'matrix', explode: true },
    { path: ';x=1;y=2' },
  ],
  ['an object in a matrix', { asks: exactPoint, in: 'path', style: 'matrix' }, { path: ';p=x,1,y,2' }],
  [
    'an exploded object in a label',
    { asks: exactPoint, in: 'path', style: 'label', explode: true },
    { path: '.x=1.y=2' },
  ],
  ['an object in a header', { asks: exactPoint, in: 'header', name: 'P' }, { headers: { p: 'x,1,y,2' } }],
  ['an encoded cookie', { asks: { const: 'a;b' }, in: 'cookie' }, { headers: { cookie: 'p=a%3Bb' } }],
  [
    'JSON in a path',
    { asks: exactPoint, in: 'path', mediaType: 'application/json' },
    { path: '%7B%22x%22:1,%22y%22:2%7D' },
  ],
  ['a matrix with commas', { asks: pair, in: 'path', style: 'matrix', explode: false }, { path: ';p=1,2' }],
  ['an exploded object in the path', { asks: exactPoint, in: 'path', explode: true }, { path: 'x=1,y=2' }],
  ['a header', { asks: pair, in: 'header', name: 'P' }, { headers: { p: '1, 2' } }],
  ['a cookie', { asks: integer, in: 'cookie' }, { headers: { cookie: 'q=1; p=5' } }],
])('reads %s', (_, parameter, sent) => {
  expect(check(parameter, sent)).toBeUndefined();
});

test('says that a required parameter is missing, and lets an optional one be', () => {
  expect(check({ asks: integer }, {})).toBe('the query parameter "p" is required, but missing');
  expect(check({ asks: integer, required: false }, {})).toBeUndefined();
});

test('says what is wrong, and where in a list or an object', () => {
  expect(check({ asks: integer }, { query: '?p=five' })).toBe(
    'the query parameter "p" must be an integer, but is a string',
  );
  expect(check({ asks: exactPoint }, { query: '?x=1&y=b' })).toContain(
    'the query parameter "p": /y must be an integer',
  );
});

test('tells numbers past 2^53 apart', () => {
  const asks = { type: 'integer', format: 'int64' };
  expect(check({ asks }, { query: '?p=9223372036854775807' })).toBeUndefined();
  expect(check({ asks }, { query: '?p=9223372036854775808' })).toContain('at most 9223372036854775807');
});
