import { expect, test } from 'vitest';
import { type MockClient, openMock } from '../../../fixtures/mock-client.ts';
import type { JsonObject } from '../../json/value.ts';
import { integer, json, mockOf, object, response, text } from '../../../fixtures/document-parts.ts';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { shopPaths } from '../../../fixtures/shops.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import type { Store, StoreContent, StoreKey } from '../store/store.ts';

const newOrder = object({ note: text }, ['note']);
const order = object({
  id: { ...integer, readOnly: true },
  note: text,
  createdAt: { type: 'string', format: 'date-time', readOnly: true },
});
const location = {
  headers: { Location: { required: true, schema: { type: 'string', format: 'uri-reference' } } },
};

test('makes keys, answers 201 with Location, and fills what the answer requires', async () => {
  const client = await mockOf({
    paths: {
      '/shops/{shop}/orders': {
        parameters: [{ name: 'shop', in: 'path', required: true, schema: text }],
        post: {
          requestBody: { required: true, ...Object(json(newOrder)) },
          responses: { 201: response(order, location) },
        },
      },
    },
  });
  const first = await client.post('/shops/a%20b/orders?x=1', { note: 'one' });
  expect(first).toMatchObject({
    status: 201,
    body: { id: 1, note: 'one', createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u) },
  });
  expect(first.headers.get('location')).toBe('/shops/a%20b/orders/1');
  expect(await client.post('/shops/a%20b/orders', { note: 'two' })).toMatchObject({ body: { id: 2 } });
  expect(await client.post('/shops/other/orders', { note: 'three' })).toMatchObject({
    body: { id: 1 },
  });
});

test('gives a whole URL where Location takes nothing else', async () => {
  const headers = { headers: { Location: { schema: { type: 'string', format: 'uri' } } } };
  const client = await mockOf({
    paths: {
      '/orders': { post: { requestBody: json(newOrder), responses: { 201: response(order, headers) } } },
    },
  });
  const answer = await client.post('/orders', { note: 'one' }, { host: 'api.example.com' });
  expect(answer.headers.get('location')).toBe('http://api.example.com/orders/1');
});

test('gives a place that the pattern of Location takes', async () => {
  const locationOf = async (pattern: string): Promise<string | null> => {
    const headers = { headers: { Location: { schema: { type: 'string', pattern } } } };
    const client = await mockOf({
      paths: {
        '/orders': { post: { requestBody: json(newOrder), responses: { 201: response(order, headers) } } },
      },
    });
    return (await client.post('/orders', { note: 'one' })).headers.get('location');
  };
  expect(await locationOf('^/orders/')).toBe('/orders/1');
  expect(await locationOf('^http:')).toBe('http://localhost/orders/1');
  expect(await locationOf('^https://[a-z]{3}/1$')).toMatch(/^https:\/\/[a-z]{3}\/1$/u);
});

test('makes keys that are texts', async () => {
  const withKey = (id: unknown): Promise<MockClient> =>
    mockOf({
      paths: {
        '/orders': {
          post: { requestBody: json(newOrder), responses: { 201: response(object({ id, note: text })) } },
        },
      },
    });
  expect(
    await (await withKey({ type: 'string', format: 'uuid' })).post('/orders', { note: 'a' }),
  ).toMatchObject({
    body: { id: '00000000-0000-4000-8000-000000000001' },
  });
  expect(
    await (await withKey({ type: 'string', pattern: '^\\d+$' })).post('/orders', { note: 'a' }),
  ).toMatchObject({ body: { id: '1' } });
});

test('does not take from a client what is read-only, nor show what is write-only', async () => {
  const user = object({
    id: { ...integer, readOnly: true },
    name: text,
    password: { ...text, writeOnly: true },
  });
  const client = await mockOf({
    paths: { '/users': { post: { requestBody: json(user), responses: { 201: response(user) } } } },
  });
  const answer = await client.post('/users', { id: 99, name: 'a', password: 's3cret' });
  expect(answer).toMatchObject({ status: 201 });
  expect(answer.body).toEqual({ id: 1, name: 'a' });
});

test('answers with what its own schema accepts, whatever was sent', async () => {
  const sent = object({ id: integer, level: integer, note: text }, ['id']);
  const shown = {
    ...Object(object({ id: integer, level: { ...integer, maximum: 5 }, label: { enum: ['x', 'y'] } })),
    additionalProperties: false,
  };
  const client = await mockOf(
    { paths: { '/orders': { post: { requestBody: json(sent), responses: { 200: response(shown) } } } } },
    { policy: { 'undeclared-properties': 'store' } },
  );
  const label = expect.stringMatching(/^[xy]$/u) as string; // `as`: it stands for a text
  const { body } = await client.post('/orders', { id: 1, level: 3, note: 'a', stray: 1 });
  expect(body).toEqual({ id: 1, level: 3, label });
  expect((await client.post('/orders', { id: 2, level: 9 })).body).toEqual({ id: 2, level: 1, label });
});

test('answers a create that has no content, and one whose answer is no object', async () => {
  const client = await mockOf({
    paths: {
      '/none': { post: { requestBody: json(object({ id: integer })), responses: { 204: response() } } },
      '/list': {
        post: {
          'x-cloche-resource': { role: 'create' },
          requestBody: json(object({ id: integer })),
          responses: { 200: response({ type: 'array', items: integer }) },
        },
      },
    },
  });
  expect(await client.post('/none', { id: 1 })).toMatchObject({ status: 204, body: undefined });
  expect(await client.post('/list', { id: 1 })).toMatchObject({ status: 200, body: [1] });
});

test('keeps what is created without a body: an item of what the service makes', async () => {
  const session = object({ id: integer, note: text });
  const pathId = { name: 'id', in: 'path', required: true, schema: integer };
  const client = await mockOf({
    paths: {
      '/sessions': {
        get: { responses: { 200: response({ type: 'array', items: session }) } },
        post: { responses: { 201: response(session) } },
      },
      '/sessions/{id}': { get: { parameters: [pathId], responses: { 200: response(session) } } },
      '/locks/{id}': {
        get: { parameters: [pathId], responses: { 200: response(session) } },
        put: { parameters: [pathId], responses: { 201: response(session) } },
      },
    },
  });
  const made = await client.post('/sessions');
  expect(made).toMatchObject({ status: 201, body: { id: 1 } });
  expect(await client.get('/sessions/1')).toMatchObject({ status: 200, body: { id: 1 } });
  expect(await client.send('PUT /locks/7')).toMatchObject({ status: 201 });
  expect(await client.get('/locks/7')).toMatchObject({ status: 200, body: { id: 7 } });
});

test('names what is created without a body, though clients name their items', async () => {
  const pathId = { name: 'id', in: 'path', required: true, schema: integer };
  const rule = object({ id: integer, note: text });
  const client = await mockOf({
    paths: {
      '/rules': { post: { requestBody: json(rule) as JsonObject, responses: { 201: response(rule) } } },
      '/rules/{id}': { get: { parameters: [pathId], responses: { 200: response(rule) } } },
    },
  });
  const made = await client.post('/rules');
  expect(made).toMatchObject({ status: 201, body: { id: 1 } });
  expect(made.headers.get('location')).toBe('/rules/1');
  expect(await client.get('/rules/1')).toMatchObject({ status: 200, body: { id: 1 } });
});

const shops = contractOf({ paths: shopPaths });

/** A store with an order of a shop. Another client deletes the shop right after the shop, or the whole store, is read. */
async function openStore(): Promise<{ readonly store: Store; readonly raced: Store }> {
  const store = createMemoryStore();
  await store.insertIfAbsent({ collection: '/shops', key: '"a"', text: '{"id":"a"}', claims: [] });
  await store.insertIfAbsent({ collection: '/shops/a/orders', key: '"b"', text: '{"id":"b"}', claims: [] });
  const tree = { collection: '/shops', key: '"a"', path: '/shops/a', below: 'delete' } as const;
  async function get(collection: string, key: StoreKey): Promise<string | undefined> {
    const text = await store.get(collection, key);
    if (collection === '/shops') await store.deleteTree(tree);
    return text;
  }
  async function dump(): Promise<StoreContent> {
    const content = await store.dump();
    await store.deleteTree(tree);
    return content;
  }
  return { store, raced: { ...store, get, dump } };
}

test.each([
  ['POST /shops/a/orders', { id: 'c' }],
  ['POST /shops/a/orders', { id: 'b' }],
  ['PUT /shops/a/orders/c', { id: 'c' }],
  ['PUT /shops/a/orders/b', { id: 'b' }],
])('returns 404 for %s when the shop is deleted meanwhile, and stores nothing', async (line, body) => {
  const { store, raced } = await openStore();
  const policy = { 'unknown-key-replaced': 'create', 'duplicate-key': 'replace' } as const;
  const { send } = await openMock(shops, { store: raced, policy });
  expect((await send(line, body)).status).toBe(404);
  expect(await store.collections()).toEqual([]);
});

test('imports no row whose parent is deleted meanwhile, and names the row', async () => {
  const { store, raced } = await openStore();
  const { mock } = await openMock(shops, { store: raced });
  await expect(mock.state.import({ '/shops/a/orders': [{ id: 'c' }] }, 'merge')).rejects.toThrow(
    '/shops/a/orders, row 1: there is no a in /shops that it could belong to',
  );
  expect(await store.collections()).toEqual([]);
});

test('creates an item for each row of a table, and shows them in the declared notations', async () => {
  const rows = { type: 'array', items: newOrder };
  const orders = { type: 'array', items: order };
  const client = await mockOf({
    paths: {
      '/orders': {
        get: {
          responses: {
            200: {
              description: '',
              content: { 'application/json': { schema: orders }, 'text/csv': { schema: orders } },
            },
          },
        },
        post: {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: newOrder }, 'text/csv': { schema: rows } },
          },
          responses: { 201: response(order, location), 400: { description: 'Refused.' } },
        },
      },
      '/orders/{id}': {
        get: {
          parameters: [{ name: 'id', in: 'path', required: true, schema: integer }],
          responses: { 200: response(order) },
        },
      },
    },
  });
  const csv = { 'content-type': 'text/csv' };
  const last = await client.post('/orders', 'note\r\none\r\n"two, ""2"""\r\n', csv);
  expect([last.status, last.headers.get('location')]).toEqual([201, '/orders/2']);
  expect(await client.get('/orders/1')).toMatchObject({ body: { id: 1, note: 'one' } });
  expect((await client.post('/orders', 'name\r\nthree\r\n', csv)).body).toMatchObject({
    detail: 'The body is not valid: /0/note is required, but missing.',
  });
  expect((await client.post('/orders', 'note\r\n"three\r\n', csv)).body).toMatchObject({
    detail: 'The body cannot be read: record 2 has a quote without its end.',
  });
  expect((await client.get('/orders')).body).toMatchObject([{ note: 'one' }, { note: 'two, "2"' }]);
  expect((await client.get('/orders', { accept: 'text/csv' })).text).toMatch(
    /^id,note,createdAt\r\n1,one,[^,]+\r\n2,"two, ""2""",[^,]+\r\n$/u,
  );
});
