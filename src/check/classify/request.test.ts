import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { loadContract } from '../../contract/load.ts';
import { readAccept, readKey, readRequest } from './request.ts';

const { operations } = await loadContract(undefined, { followReferences: false });

test.each([
  [undefined, 'met'],
  ['*/*', 'met'],
  ['APPLICATION/JSON', 'met'],
  ['application/*;q=0.1', 'met'],
  ['text/html, application/json;q=0.5, */*;q=0', 'met'],
  ['text/html', 'unmet'],
  ['*/*;q=0', 'unmet'],
  ['application/json;q=0, */*', 'unmet'],
  ['application/json; q=0.000', 'unmet'],
  // An empty list asks for nothing, or for anything.
  ['', 'ambiguous'],
  [' , ', 'ambiguous'],
  ['text', 'ambiguous'],
  ['application/json;version=1', 'ambiguous'],
  ['text, application/json', 'ambiguous'],
] as const)('an Accept of %j is %s by a success in application/json', (accept, reading) => {
  const [operation] = operations;
  expect(operation && readAccept(accept, operation)).toBe(reading);
});

test.each([
  [undefined, 'met'],
  ['*/*', 'met'],
  ['text/html', 'ambiguous'],
  ['', 'ambiguous'],
] as const)(
  'an Accept of %j is %s by a success without content, as it may be refused all the same',
  (accept, reading) => {
    const responses = { '204': { description: 'deleted' } };
    const [operation] = contractOf({ paths: { '/orders': { delete: { responses } } } }).operations;
    expect(operation && readAccept(accept, operation)).toBe(reading);
  },
);

test.each([
  ['key=good', 'good'],
  ['key=good&key=good', 'good'],
  ['key=&key=good', 'unjudged'],
  ['key=other', 'unknown-token'],
  ['key=', 'missing'],
] as const)('the key of the query %s is %s', (query, reading) => {
  const [operation] = contractOf({
    paths: { '/orders': { get: { security: [{ key: [] }], responses: {} } } },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } } },
  }).operations;
  const { credentials } = readRequest({
    request: { method: 'GET', target: `/orders?${query}`, headers: [], body: undefined },
    operation,
    pathParameters: {},
    goodTokens: ['good'],
    framing: 'content-length',
  });
  expect(credentials).toBe(reading);
});

test('the key of what is created stands in the envelope of the body, not beside it', () => {
  const reaction = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const content = {
    'application/json': { schema: { type: 'object', required: ['reaction'], properties: { reaction } } },
  };
  const [operation] = contractOf({
    paths: {
      '/reactions': {
        post: { requestBody: { content }, responses: { '201': { description: 'made', content } } },
      },
      '/reactions/{name}': {
        parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
        get: { responses: { '200': { description: 'shown', content } } },
      },
    },
  }).operations;
  const value = { name: 'outer', reaction: { name: 'inner' } };
  expect(readKey({ kind: 'valid', value, exact: false, grade: { kind: 'plain' } }, operation)).toBe('inner');
});
