import { expect, test } from 'vitest';
import type { Parameter } from '../../contract/parameter.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { compileSchema } from '../../schema/compile-schema.ts';
import { parseQuery } from './parse-query.ts';
import { prepareParameter } from './prepare-parameter.ts';

interface Sent {
  readonly query?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is said of a parameter called `p`, or undefined where it fits. */
function check(changes: Partial<Parameter> & { readonly asks: JsonObject }, sent: Sent): string | undefined {
  const { asks, ...rest } = changes;
  const place = rest.in ?? 'query';
  const parameter: Parameter = {
    name: 'p',
    in: place,
    required: true,
    style: place === 'query' || place === 'cookie' ? 'form' : 'simple',
    explode: place === 'query' || place === 'cookie',
    mediaType: undefined,
    schema: compileSchema({ schema: asks, pointer: '' }),
    pointer: '',
    ...rest,
  };
  const { query = '', path, headers = {} } = sent;
  return prepareParameter(parameter, { formats: 'assert', integers: 'by-value' })({
    head: { method: 'GET', target: `/${query}`, header: (name) => headers[name] },
    path: path === undefined ? {} : { p: path },
    query: parseQuery(query),
  });
}

const integer = { type: 'integer' };
const integers = { type: 'array', items: integer, minItems: 2, maxItems: 2 };
const point = {
  type: 'object',
  required: ['x', 'y'],
  properties: { x: integer, y: integer },
  additionalProperties: false,
};

test.each<[string, Partial<Parameter> & { asks: JsonObject }, Sent]>([
  ['a number in the query', { asks: integer }, { query: '?p=5' }],
  ['a boolean', { asks: { type: 'boolean' } }, { query: '?p=true' }],
  ['a text that looks like a number', { asks: { type: 'string' } }, { query: '?p=5' }],
  ['encoded text', { asks: { const: 'a b&c' } }, { query: '?p=a+b%26c' }],
  ['a list, one member each', { asks: integers }, { query: '?p=1&p=2' }],
  ['a list with commas', { asks: integers, explode: false }, { query: '?p=1,2' }],
  [
    'a comma that is meant',
    { asks: { type: 'array', items: { enum: ['a,b', 'c'] } }, explode: false },
    { query: '?p=a%2Cb,c' },
  ],
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
