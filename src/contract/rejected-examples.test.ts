import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import type { JsonObject } from '../json/value.ts';
import { listRejectedExamples } from './rejected-examples.ts';

const integer = { type: 'integer' };
const item = { type: 'object', required: ['id'], properties: { id: integer } };

function rejected(get: JsonObject): readonly string[] {
  return listRejectedExamples(contractOf({ paths: { '/tasks': { get } } })).map(({ reason }) => reason);
}

test('lists the examples of parameters, headers and media types that their schema rejects', () => {
  const parameters = [{ name: 'page', in: 'query', schema: integer, example: 'two' }];
  const headers = { 'X-Rate': { schema: { ...integer, minimum: 1, example: 0 } } };
  const examples = { good: { value: { id: 1 } }, bad: { value: { name: 'x' } } };
  const content = { 'application/json': { schema: item, examples } };
  expect(rejected({ parameters, responses: { 200: { description: 'It.', headers, content } } })).toEqual([
    'paths./tasks.get.parameters[0]: its schema rejects an example: it must be an integer, but is a string',
    'paths./tasks.get.responses.200.headers.X-Rate: its schema rejects an example: it must be at least 1, but is 0',
    'paths./tasks.get.responses.200.content.application/json: its schema rejects an example: /id is required, but missing',
  ]);
});

test('lists no example that its schema accepts, and none without a schema', () => {
  const parameters = [{ name: 'page', in: 'query', schema: integer, example: 2 }];
  const content = { 'application/json': { example: 'anything' } };
  expect(rejected({ parameters, responses: { 200: { description: 'It.', content } } })).toEqual([]);
});
