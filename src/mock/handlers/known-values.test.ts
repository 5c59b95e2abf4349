import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { openMock } from '../../../fixtures/mock-client.ts';
import { createServiceClient } from '../../../fixtures/service-client.ts';
import type { JsonObject } from '../../json/value.ts';
import { prepareAgreement, prepareEntryIds, readId } from './known-values.ts';

const types = (...names: string[]): ReadonlySet<string> => new Set(names);

test.each([
  ['5', ['integer'], 5],
  ['5', ['string'], '5'],
  ['5', ['integer', 'string'], '5'],
  ['shed', [], 'shed'],
  ['shed', ['integer'], undefined],
  ['007', ['integer'], undefined],
  ['12345678901234567890', ['integer'], undefined],
])('reads the id %j as one of %j: %j', (text, names, expected) => {
  expect(readId(text, types(...names))).toBe(expected);
});

test('an object and the id beside it name the same thing', () => {
  const agree = prepareAgreement(
    new Map([
      ['author', types('object')],
      ['author_id', types('integer')],
      ['editorId', types('integer')],
    ]),
  );
  const item = { author: { id: 3, name: 'Ina' }, author_id: 9, editorId: 4 };
  expect(agree(item, {})).toEqual({ ...item, author_id: 3 });
  expect(agree(item, { author_id: 9 })).toEqual({ ...item, author: { id: 9, name: 'Ina' } });
  // An id of another type says something else.
  expect(agree({ author: { id: 'x' }, author_id: 9 }, {})).toEqual({ author: { id: 'x' }, author_id: 9 });
});

test('the entries of a list have ids of their own', () => {
  const entry = {
    type: 'object',
    required: ['lineId', 'ref_id'],
    properties: { lineId: { type: 'integer' }, ref_id: { type: 'string' }, product: {} },
  };
  const complete = prepareEntryIds([{ properties: { lines: { type: 'array', items: entry } } }]);
  expect(complete({ lines: [{ product: 'milk' }, { lineId: 7, ref_id: 'a' }, 'tea'] })).toEqual({
    lines: [
      { product: 'milk', lineId: 1, ref_id: '00000000-0000-4000-8000-000000000001' },
      { lineId: 7, ref_id: 'a' },
      'tea',
    ],
  });
  // The first entry has the place of the second, and the third that of the first.
  expect(complete({ lines: [{ lineId: 2 }, {}, { lineId: 1 }, {}] })).toMatchObject({
    lines: [{ lineId: 2 }, { lineId: 3 }, { lineId: 1 }, { lineId: 4 }],
  });
});

test('an entry without an id gets the first free one over a socket', async () => {
  const line = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  };
  const order = {
    type: 'object',
    required: ['id', 'lines'],
    properties: { id: { type: 'integer' }, lines: { type: 'array', items: line } },
  };
  const sent = { type: 'object', properties: { lines: { type: 'array', items: { type: 'object' } } } };
  const content = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
  const responses = { '201': { description: 'created', ...content(order) } };
  const contract = contractOf({ paths: { '/orders': { post: { requestBody: content(sent), responses } } } });
  const { mock } = await openMock(contract);
  const { post } = createServiceClient((await mock.listen()).url);
  const { body } = await post('/orders', { lines: [{ id: 2 }, { name: 'tea' }] });
  expect(body).toEqual({ id: 1, lines: [{ id: 2 }, { name: 'tea', id: 1 }] });
});
