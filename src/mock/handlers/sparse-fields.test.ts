import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { type MockClient, openMock } from '../../../fixtures/mock-client.ts';
import type { JsonObject } from '../../json/value.ts';

const text = { type: 'string' };
const dish: JsonObject = {
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'integer' }, name: text, note: text, price: { type: 'number' } },
};
const item = { id: 1, name: 'soup', note: 'hot', price: 2.5 };

function open(schema: JsonObject, shownItem: JsonObject = dish): Promise<MockClient> {
  const parameters = [{ name: 'fields', in: 'query', schema }];
  const answer = (shown: JsonObject): JsonObject => ({
    200: { description: 'Found.', content: { 'application/json': { schema: shown } } },
  });
  const page = { type: 'object', properties: { dishes: { type: 'array', items: shownItem } } };
  const content = { 'application/json': { schema: dish } };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const post = { requestBody: { content }, responses: { 201: { description: 'Created.', content } } };
  return openMock(
    contractOf({
      paths: {
        '/dishes': { get: { parameters, responses: answer(page) }, post },
        '/dishes/{id}': { parameters: [id], get: { parameters, responses: answer(shownItem) } },
      },
    }),
    { data: { '/dishes': [item] } },
  );
}

const list = { type: 'array', items: text };

test.each([
  [{ ...text }, 'fields=note'],
  [{ ...text }, 'fields=note,owner.name'],
  [{ ...list }, 'fields=note&fields=unknown'],
])('shows with the schema %j and %s only the selected, the required and the id', async (schema, query) => {
  const { get } = await open(schema);
  const selected = { id: 1, name: 'soup', note: 'hot' };
  expect((await get(`/dishes/1?${query}`)).body).toEqual(selected);
  expect((await get(`/dishes?${query}`)).body).toEqual({ dishes: [selected] });
});

test.each(['', '?fields=unknown', '?fields='])('shows whole items with %j', async (query) => {
  const { get } = await open(text);
  expect((await get(`/dishes/1${query}`)).body).toEqual(item);
  expect((await get(`/dishes${query}`)).body).toEqual({ dishes: [item] });
});

test('shows a whole item if its schema rejects the selection', async () => {
  const { get } = await open(text, { ...dish, minProperties: 4 });
  expect((await get('/dishes/1?fields=note')).body).toEqual(item);
});

test('refuses an unknown item as without a selection', async () => {
  const { get } = await open(text);
  expect((await get('/dishes/2?fields=note')).status).toBe(404);
});
