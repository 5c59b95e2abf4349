import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { openMock } from '../../../fixtures/mock-client.ts';
import type { JsonObject } from '../../json/value.ts';
import { compileSchema } from '../../schema/compile.ts';
import { createKeyMaker } from './stored-form.ts';

const name: JsonObject = { type: 'string' };
const contract = contractOf({
  paths: {
    '/tasks': {
      post: {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', properties: { name } } } },
        },
        responses: {
          '201': {
            description: 'created',
            content: {
              'application/json': {
                schema: { type: 'object', properties: { id: { type: 'integer' }, name } },
              },
            },
          },
        },
      },
    },
  },
});

test('ids are counted behind a text that their pattern takes', () => {
  const id = { type: 'string', pattern: '^\\(s\\)' };
  const schema = compileSchema({ schema: { type: 'object', properties: { id } }, pointer: '' });
  expect([1, 2].map(createKeyMaker('id', [schema]))).toEqual(['(s)1', '(s)2']);
});

test('ids are as long as their schema has them', () => {
  const id = { type: 'string', minLength: 10, maxLength: 10 };
  const schema = compileSchema({ schema: { type: 'object', properties: { id } }, pointer: '' });
  expect([1, 2].map(createKeyMaker('id', [schema]))).toEqual(['0000000001', '0000000002']);
});

test('ids are the values that their schema lists, as long as there are any', () => {
  const id = { type: 'string', enum: ['VALIDITY', 'COMPATIBILITY'] };
  const schema = compileSchema({ schema: { type: 'object', properties: { id } }, pointer: '' });
  const made = [1, 2, 3].map(createKeyMaker('id', [schema]));
  expect(made.slice(0, 2)).toEqual(id.enum);
  expect(new Set(made).size).toBe(3);
});

test('a key that the service gives stands where a client sent one that is not declared', async () => {
  const { mock, post } = await openMock(contract, { policy: { 'undeclared-properties': 'store' } });
  const { body } = await post('/tasks', { name: 'a', id: 99, more: true });
  expect(body).toEqual({ id: 1, name: 'a', more: true });
  expect((await mock.state.get('/tasks', '1'))?.value).toEqual({ id: 1, name: 'a', more: true });
});
