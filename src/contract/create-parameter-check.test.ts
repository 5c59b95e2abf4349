import { expect, test } from 'vitest';
import type { JsonObject } from '../json/value.ts';
import { compileSchema } from '../schema/compile.ts';
import { createParameterCheck } from './check-parameters.ts';
import { createParameterReader, type Parameter, toParameterSource } from './read-parameters.ts';

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
const integers = { type: 'array', items: integer, minItems: 2, maxItems: 2 };
const texts = { type: 'array', items: { enum: ['a,b', 'c'] }, minItems: 2 };
const text = { type: 'string', pattern: '^1' };
const referring = {
  type: 'array',
  items: { $ref: '#/$defs/Number' },
  $defs: { Number: { allOf: [integer] } },
};
const point = {
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
  ['a list, one member each', { asks: integers }, { query: '?p=1&p=2' }],
  ['a list with commas', { asks: integers, explode: false }, { query: '?p=1,2' }],
  ['a comma that is meant', { asks: texts, explode: false }, { query: '?p=a%2Cb,c' }],
  ['a comma that is meant in the path', { asks: texts, in: 'path' }, { path: 'a%2Cb,c' }],
  ['a member without a value', { asks: { const: '' } }, { query: '?p' }],
  ['an empty list', { asks: { type: 'array', maxItems: 0 }, explode: false }, { query: '?p=' }],
  ['no value where none is needed', { asks: integer, allowsEmpty: true }, { query: '?p' }],
  ['reserved characters as they are', { asks: { const: 'a/b?c:d@e' } }, { query: '?p=a/b?c:d@e' }],
  ['what is no valid encoding as it is', { asks: { const: '100%' } }, { query: '?p=100%' }],
  ['a number of a list', { asks: { enum: [1, 2] } }, { query: '?p=2' }],
  ['a number through references', { asks: referring }, { query: '?p=1&p=2' }],
  ['a number or a text', { asks: { anyOf: [{ type: 'integer', maximum: 9 }, text] } }, { query: '?p=12' }],
  ['a text or a list', { asks: { anyOf: [{ enum: ['all'] }, integers] } }, { query: '?p=all' }],
  ['a list or a text', { asks: { anyOf: [{ enum: ['all'] }, integers] } }, { query: '?p=1&p=2' }],
  [
    'other properties',
    { asks: { type: 'object', additionalProperties: integer }, style: 'deepObject' },
    { query: '?p[z]=3' },
  ],
  ['null', { asks: { type: ['integer', 'null'] } }, { query: '?p=' }],
  ['a list with spaces', { asks: integers, style: 'spaceDelimited', explode: false }, { query: '?p=1%202' }],
  ['a list with pipes', { asks: integers, style: 'pipeDelimited', explode: false }, { query: '?p=1|2' }],
  ['an object in brackets', { asks: point, style: 'deepObject' }, { query: '?p[x]=1&p%5By%5D=2' }],
  ['an object, a member each', { asks: point }, { query: '?x=1&y=2' }],
  ['an object with commas', { asks: point, explode: false }, { query: '?p=x,1,y,2' }],
  ['JSON', { asks: point, mediaType: 'application/json' }, { query: '?p=%7B%22x%22:1,%22y%22:2%7D' }],
  ['a number in the path', { asks: integer, in: 'path' }, { path: '5' }],
  ['a list in the path', { asks: integers, in: 'path' }, { path: '1,2' }],
  ['a label', { asks: integers, in: 'path', style: 'label', explode: true }, { path: '.1.2' }],
  ['a matrix', { asks: integers, in: 'path', style: 'matrix', explode: true }, { path: ';p=1;p=2' }],
  ['a matrix of one value', { asks: integer, in: 'path', style: 'matrix' }, { path: ';p=5' }],
  ['a label of one value', { asks: integer, in: 'path', style: 'label' }, { path: '.5' }],
  [
    'an exploded object in a matrix',
    { asks: point, in: 'path', style: 'matrix', explode: true },
    { path: ';x=1;y=2' },
  ],
  ['an object in a matrix', { asks: point, in: 'path', style: 'matrix' }, { path: ';p=x,1,y,2' }],
  [
    'an exploded object in a label',
    { asks: point, in: 'path', style: 'label', explode: true },
    { path: '.x=1.y=2' },
  ],
  ['an object in a header', { asks: point, in: 'header', name: 'P' }, { headers: { p: 'x,1,y,2' } }],
  ['an encoded cookie', { asks: { const: 'a;b' }, in: 'cookie' }, { headers: { cookie: 'p=a%3Bb' } }],
  [
    'JSON in a path',
    { asks: point, in: 'path', mediaType: 'application/json' },
    { path: '%7B%22x%22:1,%22y%22:2%7D' },
  ],
  [
    'a matrix with commas',
    { asks: integers, in: 'path', style: 'matrix', explode: false },
    { path: ';p=1,2' },
  ],
  ['an exploded object in the path', { asks: point, in: 'path', explode: true }, { path: 'x=1,y=2' }],
  ['a header', { asks: integers, in: 'header', name: 'P' }, { headers: { p: '1, 2' } }],
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
  expect(check({ asks: point }, { query: '?x=1&y=b' })).toContain(
    'the query parameter "p": /y must be an integer',
  );
});

test('tells numbers past 2^53 apart', () => {
  const asks = { type: 'integer', format: 'int64' };
  expect(check({ asks }, { query: '?p=9223372036854775807' })).toBeUndefined();
  expect(check({ asks }, { query: '?p=9223372036854775808' })).toContain('at most 9223372036854775807');
});
