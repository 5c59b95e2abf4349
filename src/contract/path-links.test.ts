import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import type { JsonObject } from '../json/value.ts';
import { evaluateLink } from './path-links.ts';

const text = { type: 'string' };
const answer = {
  description: '',
  content: { 'application/json': { schema: { type: 'object', properties: { reference: text } } } },
};
const progress = {
  '/progress/{ref}': {
    get: {
      operationId: 'getProgress',
      parameters: [{ name: 'ref', in: 'path', required: true, schema: text }],
      responses: { 200: answer },
    },
  },
};
const claims = (response: JsonObject): JsonObject => ({
  '/claims': {
    post: {
      operationId: 'submitClaim',
      requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { text } } } } },
      responses: { 201: { ...answer, ...response } },
    },
  },
});
const itemsOf = (paths: Record<string, JsonObject>) =>
  contractOf({ paths }).operations.find(({ id }) => id === 'getProgress')?.items;

test.each([
  { operationId: 'getProgress', parameters: { ref: '$response.body#/reference' } },
  { operationRef: '#/paths/~1progress~1{ref}/get', parameters: { 'path.ref': '$response.body#/reference' } },
])('a link names the response that gives the value of a path parameter: %o', (link) => {
  const paths = { ...claims({ links: { progress: link } }), ...progress };
  expect(itemsOf(paths)).toMatchObject([{ maker: 'submitClaim', expression: '$response.body#/reference' }]);
});

test('the only Location that leads nowhere else gives the value of a path parameter', () => {
  const located = { headers: { Location: { schema: text } } };
  expect(itemsOf({ ...claims(located), ...progress })).toMatchObject([
    { maker: 'submitClaim', expression: 'location' },
  ]);
  const other = { '/reports': { post: { responses: { 202: { description: '', ...located } } } } };
  expect(itemsOf({ ...claims(located), ...other, ...progress })).toEqual([]);
});

test('a document without links connects nothing', () => {
  expect(itemsOf({ ...claims({}), ...progress })).toEqual([]);
});

test.each([
  ['$response.body#/a/0', '7'],
  ['$response.header.X-Id', 'h'],
  ['$request.path.shop', 's'],
  ['$request.body#/name', 'n'],
  ['fixed', 'fixed'],
  ['$url', undefined],
  ['$response.body#/missing', undefined],
])('evaluates %s', (expression, value) => {
  const exchange = {
    sent: { name: 'n' },
    received: { a: [7] },
    headers: [['X-Id', 'h']] as const,
    path: { shop: 's' },
  };
  expect(evaluateLink(expression, exchange)).toBe(value);
});
