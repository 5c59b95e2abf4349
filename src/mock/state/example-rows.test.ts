import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createMockClient } from '../../../fixtures/mock-client.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { createMock } from '../create-mock.ts';
import type { Mock, MockOptions } from '../mock.ts';
import { createMemoryStore } from '../store/memory-store.ts';

const text: JsonObject = { type: 'string' };
const integer: JsonObject = { type: 'integer' };
const pet: JsonObject = {
  type: 'object',
  required: ['name', 'password'],
  properties: {
    id: { ...integer, readOnly: true },
    name: { ...text, maxLength: 10 },
    password: { ...text, writeOnly: true },
    bornAt: { ...text, readOnly: true },
  },
};
const list: JsonObject = { type: 'object', properties: { items: { type: 'array', items: pet } } };

function answer(status: number, schema: JsonObject, example?: JsonValue): JsonObject {
  const media = { schema, ...(example === undefined ? {} : { example }) };
  return { [status]: { description: 'It.', content: { 'application/json': media } } };
}

function sends(schema: JsonObject, example?: JsonValue): JsonObject {
  const media = { schema, ...(example === undefined ? {} : { example }) };
  return { required: true, content: { 'application/json': media } };
}

interface Examples {
  readonly listed?: JsonValue;
  readonly read?: JsonValue;
  readonly created?: JsonValue;
  readonly sent?: JsonValue;
  readonly pet?: JsonObject;
}

function start(examples: Examples, options: MockOptions = {}): Promise<Mock> {
  const { pet: schema = pet } = examples;
  const id = { name: 'petId', in: 'path', required: true, schema: integer };
  const paths: JsonObject = {
    '/pets': {
      get: { operationId: 'listPets', responses: answer(200, list, examples.listed) },
      post: { requestBody: sends(schema, examples.sent), responses: answer(201, schema, examples.created) },
    },
    '/pets/{petId}': { parameters: [id], get: { responses: answer(200, schema, examples.read) } },
  };
  return createMock(contractOf({ paths }), options);
}

test('starts with the items in the examples of its document, each once, in the order of the list', async () => {
  const mock = await start({
    listed: {
      items: [
        { id: 4, name: 'Rex', bornAt: '2020' },
        { id: 2, name: 'Tom' },
      ],
    },
    read: { id: 2, name: 'Tommy' },
    created: { id: 9, name: 'Kitty' },
  });
  const { resources } = await mock.state.list('/pets');
  expect(resources.map(({ value: { id, name } }) => [id, name])).toEqual([
    [4, 'Rex'],
    [2, 'Tom'],
    [9, 'Kitty'],
  ]);
  expect((await createMockClient(mock).get('/pets/4')).body).toEqual({ id: 4, name: 'Rex', bornAt: '2020' });
  expect(mock.dataReport).toMatchObject({
    source: 'examples',
    collections: [{ name: '/pets', count: 3 }],
    added: 3,
    left: [],
  });
});

test('an item that is no longer wanted is deleted for good, until a reset', async () => {
  const mock = await start({ read: { id: 2, name: 'Tom' } });
  await mock.state.delete('/pets', '2');
  expect((await mock.state.list('/pets')).total).toBe(0);
  await mock.reset();
  expect((await mock.state.list('/pets')).total).toBe(1);
});

test('creates go on past the ids of examples, and what lacks an id gets one', async () => {
  const mock = await start({ listed: { items: [{ name: 'Tom' }, { id: 6, name: 'Rex' }] } });
  const ids = async (): Promise<unknown> =>
    (await mock.state.list('/pets')).resources.map(({ value }) => value['id']);
  expect(await ids()).toEqual([1, 6]);
  await mock.state.put('/pets', { name: 'New', password: 'x' });
  expect(await ids()).toEqual([1, 6, 7]);
});

test('an example that the document does not allow is passed over, and named', async () => {
  const mock = await start({
    listed: {
      items: [
        { id: 1, name: 'far too long a name' },
        { id: 2, name: 'Tom' },
      ],
    },
  });
  expect((await mock.state.list('/pets')).resources.map(({ key }) => key)).toEqual(['2']);
  expect(mock.dataReport?.left).toEqual([
    {
      collection: '/pets',
      index: 0,
      place: 'an example of listPets',
      reason: '/name must have at most 10 characters, but has 19',
    },
  ]);
});

test('takes the examples of schemas too', async () => {
  const mock = await start({ pet: { ...pet, example: { id: 5, name: 'Schema' } } });
  expect((await mock.state.list('/pets')).resources.map(({ key }) => key)).toEqual(['5']);
});

test('leaves the id free that the example of a create sends', async () => {
  const writable = { ...pet, properties: { id: integer, name: text } };
  const mock = await start({
    pet: { ...writable, required: ['name'] },
    sent: { id: 10, name: 'doggie' },
    created: { id: 10, name: 'doggie' },
  });
  expect((await mock.state.list('/pets')).total).toBe(0);
});

test.each(['none', {}, { '/pets': [] }] as const)('data %o takes the place of examples', async (data) => {
  const mock = await start({ read: { id: 2, name: 'Tom' } }, { data });
  expect((await mock.state.list('/pets')).total).toBe(0);
  await mock.reset();
  expect((await mock.state.list('/pets')).total).toBe(0);
});

test('a store that holds something gets no examples: they may have been deleted from it', async () => {
  const store = createMemoryStore();
  const first = await start(
    {
      listed: {
        items: [
          { id: 1, name: 'Tom' },
          { id: 2, name: 'Rex' },
        ],
      },
    },
    { store },
  );
  await first.state.delete('/pets', '1');
  const second = await start(
    {
      listed: {
        items: [
          { id: 1, name: 'Tom' },
          { id: 2, name: 'Rex' },
        ],
      },
    },
    { store },
  );
  expect((await second.state.list('/pets')).resources.map(({ key }) => key)).toEqual(['2']);
  expect(second.dataReport).toBeUndefined();
});

test('never puts in what clients make the keys of', async () => {
  const keyed = { type: 'object', required: ['code'], properties: { code: text } };
  const paths = {
    '/coupons': {
      get: { responses: answer(200, { type: 'array', items: keyed }, [{ code: 'A' }]) },
      post: {
        requestBody: sends(keyed),
        responses: { ...answer(201, keyed, { code: 'B' }), 409: { description: 'It exists.' } },
      },
    },
  };
  const mock = await createMock(contractOf({ paths }));
  expect((await mock.state.list('/coupons')).total).toBe(0);
});

test('puts nested items under the item that they name, and a singleton in its place', async () => {
  const shop = {
    type: 'object',
    required: ['name'],
    properties: { id: { ...integer, readOnly: true }, name: text },
  };
  const order = {
    type: 'object',
    required: ['note'],
    properties: { id: { ...integer, readOnly: true }, shopId: { ...integer, readOnly: true }, note: text },
  };
  const shopId = { name: 'shopId', in: 'path', required: true, schema: integer };
  const settings = { type: 'object', properties: { theme: text } };
  const paths = {
    '/shops/{shopId}/orders': {
      parameters: [shopId],
      get: {
        responses: answer(200, { type: 'array', items: order }, [
          { id: 1, shopId: 8, note: 'eight' },
          { id: 2, note: 'first' },
        ]),
      },
      post: { requestBody: sends(order), responses: answer(201, order) },
    },
    '/shops': {
      get: {
        responses: answer(200, { type: 'array', items: shop }, [
          { id: 7, name: 'a' },
          { id: 8, name: 'b' },
        ]),
      },
      post: { requestBody: sends(shop), responses: answer(201, shop) },
    },
    '/shops/{shopId}': { parameters: [shopId], get: { responses: answer(200, shop) } },
    '/settings': {
      get: { responses: answer(200, settings, { theme: 'dark' }) },
      put: { requestBody: sends(settings), responses: answer(200, settings) },
    },
  };
  const mock = await createMock(contractOf({ paths }));
  expect(await mock.state.export()).toEqual({
    '/shops': [
      { id: 7, name: 'a' },
      { id: 8, name: 'b' },
    ],
    '/shops/8/orders': [{ id: 1, shopId: 8, note: 'eight' }],
    '/shops/7/orders': [{ id: 2, note: 'first', shopId: 7 }],
    '/settings': [{ theme: 'dark' }],
  });
});
