import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createMockClient } from '../../../fixtures/mock-client.ts';
import type { ClientResponse } from '../../../fixtures/service-client.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { createMock } from '../create-mock.ts';
import type { Mock, MockOptions } from '../mock.ts';
import { DataError } from './rows.ts';

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

function create(body: JsonObject, answer: JsonObject = body): JsonObject {
  return {
    post: {
      requestBody: { required: true, content: json(body) },
      responses: { '201': { description: 'created', content: json(answer) } },
    },
  };
}

const order: JsonObject = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    name: { type: 'string', maxLength: 40 },
    amount: { type: 'number' },
  },
};
const newTask: JsonObject = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string' } },
};
const task: JsonObject = {
  type: 'object',
  required: ['id', 'title'],
  properties: { id: { type: 'integer', readOnly: true }, title: { type: 'string' } },
};
const contract = contractOf({
  paths: {
    '/orders': create(order),
    '/tasks': create({ ...newTask, additionalProperties: false }, task),
    '/shops/{shop}/orders': {
      parameters: [{ name: 'shop', in: 'path', required: true, schema: { type: 'integer' } }],
      ...create(order),
    },
  },
});

async function mockWith(options: MockOptions = {}): Promise<Mock> {
  return createMock(contract, options);
}

function post(mock: Mock, path: string, body: JsonValue): Promise<ClientResponse> {
  return createMockClient(mock).post(path, stringifyJson(body));
}

/** The reasons of a DataError, each with its place. */
async function reasonsOf(work: Promise<unknown>): Promise<readonly string[]> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DataError);
  return error instanceof DataError
    ? error.rows.map(({ collection, index, reason }) => `${collection} ${index}: ${reason}`)
    : [];
}

test('shows what was created, collection by collection, empty ones too', async () => {
  const mock = await mockWith();
  await post(mock, '/shops/7/orders', { id: 1, name: 'a' });
  await post(mock, '/tasks', { title: 'b' });
  const facts = { kind: 'collection', key: 'id', isKept: true };
  expect(await mock.state.collections()).toEqual([
    { name: '/orders', count: 0, ...facts },
    { name: '/tasks', count: 1, ...facts },
    { name: '/shops/7/orders', count: 1, ...facts },
  ]);
  expect(await mock.state.list('/tasks')).toEqual({
    total: 1,
    resources: [{ key: '1', value: { id: 1, title: 'b' } }],
  });
});

test('gives a page of what a search finds, in any case of its letters', async () => {
  const mock = await mockWith();
  for (const id of [1, 2, 3, 4]) {
    await mock.state.put('/orders', { id, name: id === 2 ? 'other' : 'Wanted' });
  }
  const page = await mock.state.list('/orders', { search: 'WANTED', offset: 1, limit: 1 });
  expect(page.total).toBe(3);
  expect(page.resources.map(({ key }) => key)).toEqual(['3']);
  expect((await mock.state.list('/orders', { offset: 3 })).resources.map(({ key }) => key)).toEqual(['4']);
});

test('finds a text key with its quotes and without them', async () => {
  const keyed = { ...order, properties: { id: { type: 'string' }, name: { type: 'string' } } };
  const mock = await createMock(contractOf({ paths: { '/orders': create(keyed) } }));
  await mock.state.put('/orders', { id: 'one', name: 'a' });
  await mock.state.put('/orders', { id: '1', name: 'b' });
  const one = { key: '"one"', value: { id: 'one', name: 'a' } };
  expect(await mock.state.get('/orders', '"one"')).toEqual(one);
  expect(await mock.state.get('/orders', 'one')).toEqual(one);
  expect((await mock.state.get('/orders', '1'))?.key).toBe('"1"');
  expect(await mock.state.get('/orders', 'two')).toBeUndefined();
  expect(await mock.state.delete('/orders', 'one')).toBe(true);
  expect(await mock.state.delete('/orders', 'one')).toBe(false);
});

test('a resource that is put takes the place of the one with its key, which a create then finds taken', async () => {
  const mock = await mockWith();
  await post(mock, '/orders', { id: 1, name: 'created' });
  await mock.state.put('/orders', { id: 1, name: 'put' });
  await mock.state.put('/orders', { id: 2, name: 'new' });
  expect((await post(mock, '/orders', { id: 2, name: 'again' })).status).toBeGreaterThanOrEqual(400);
  expect((await mock.state.list('/orders')).resources.map(({ value }) => value['name'])).toEqual([
    'put',
    'new',
  ]);
});

test('a resource without a key gets the next one that is free', async () => {
  const mock = await mockWith();
  await mock.state.put('/tasks', { id: 1, title: 'given' });
  expect((await mock.state.put('/tasks', { title: 'made' })).value).toEqual({ id: 2, title: 'made' });
  const { body } = await post(mock, '/tasks', { title: 'created' });
  expect(body).toEqual({ id: 3, title: 'created' });
});

test.each([
  ['/orders', { id: 'x', name: 'a' }, '/orders 0: /id must be an integer, but is a string'],
  ['/orders', { name: 'a' }, '/orders 0: /id is required, but missing'],
  ['/tasks', { id: 'x', title: 'a' }, '/tasks 0: /id must be an integer, but is a string'],
  ['/tasks', { id: 1, title: 'a', x: 1 }, '/tasks 0: /x is not a property that may stand here'],
  [
    '/others',
    { id: 1 },
    '/others 0: /others is not a collection of this document (it has /orders, /tasks, /shops/{shop}/orders; did you mean /orders?)',
  ],
  [
    '/shops/{shop}/orders',
    { id: 1 },
    '/shops/{shop}/orders 0: /shops/{shop}/orders has parameters: name the concrete path, as "/shops/7/orders"',
  ],
  [
    '/shops/a/orders',
    { id: 1, name: 'a' },
    '/shops/a/orders 0: /shops/a/orders is not a collection of this document: the path parameter "shop" must be an integer, but is a string',
  ],
])('refuses what the contract does not take, and says why: %s %o', async (collection, value, reason) => {
  const mock = await mockWith();
  expect(await reasonsOf(mock.state.put(collection, value))).toEqual([reason]);
  expect(await mock.state.export()).toEqual({});
});

test('refuses what is no JSON value', async () => {
  const mock = await mockWith();
  const circle: JsonObject = { id: 1, name: 'a' };
  circle['self'] = circle;
  expect(await reasonsOf(mock.state.put('/orders', circle))).toEqual(['/orders 0: it is no JSON value']);
});

test('holds rows to the policy: constraints, undeclared properties, unique values', async () => {
  const mock = await mockWith({
    policy: {
      constraints: { name: { minLength: 2 } },
      'undeclared-properties': 'refuse',
      'unique-properties': ['name'],
    },
  });
  await mock.state.put('/orders', { id: 1, name: 'first' });
  expect(await reasonsOf(mock.state.put('/orders', { id: 2, name: 'a' }))).toEqual([
    '/orders 0: /name must have at least 2 characters, but has 1',
  ]);
  expect(await reasonsOf(mock.state.put('/orders', { id: 2, name: 'bc', x: 1 }))).toEqual([
    '/orders 0: it has the property "x", which is not declared',
  ]);
  expect(await reasonsOf(mock.state.put('/orders', { id: 2, name: 'first' }))).toEqual([
    '/orders 0: the value of "name" is taken: another resource has it, and it must be unique',
  ]);
  expect((await post(mock, '/orders', { id: 3, name: 'first' })).status).toBeGreaterThanOrEqual(400);
});

test('keeps of a row what a create would keep of it', async () => {
  const mock = await mockWith();
  await mock.state.put('/orders', { id: 1, name: 'a', undeclared: true });
  expect((await mock.state.get('/orders', '1'))?.value).toEqual({ id: 1, name: 'a' });
  const storing = await mockWith({ policy: { 'undeclared-properties': 'store' } });
  await storing.state.put('/orders', { id: 1, name: 'a', undeclared: true });
  expect((await storing.state.get('/orders', '1'))?.value).toEqual({ id: 1, name: 'a', undeclared: true });
});

test('imports all rows or none, and names each bad one', async () => {
  const mock = await mockWith();
  await mock.state.put('/orders', { id: 9, name: 'was there' });
  const rows = {
    '/orders': [{ id: 1, name: 'a' }, { id: 1, name: 'b' }, { id: 2 }],
    '/tasks': [{ title: 1 }],
  };
  for (const mode of ['replace', 'merge'] as const) {
    expect(await reasonsOf(mock.state.import(rows, mode))).toEqual([
      '/orders 1: it has the key 1 of row 1',
      '/orders 2: /name is required, but missing',
      '/tasks 0: /title must be a string, but is a number',
    ]);
  }
  expect(await mock.state.export()).toEqual({ '/orders': [{ id: 9, name: 'was there' }] });
});

test('an import replaces everything, or with merge only what has the keys of its rows', async () => {
  const mock = await mockWith();
  await mock.state.put('/orders', { id: 1, name: 'a' });
  await mock.state.put('/orders', { id: 2, name: 'b' });
  const rows = {
    '/orders': [
      { id: 2, name: 'c' },
      { id: 3, name: 'd' },
    ],
  };
  expect(await mock.state.import(rows, 'merge')).toEqual({ added: 1, replaced: 1 });
  expect(await mock.state.export()).toEqual({
    '/orders': [
      { id: 1, name: 'a' },
      { id: 2, name: 'c' },
      { id: 3, name: 'd' },
    ],
  });
  expect(await mock.state.import(rows)).toEqual({ added: 2, replaced: 0 });
  expect(await mock.state.export()).toEqual(rows);
});

test('rows without keys are given those that are free, and creates go on behind the highest', async () => {
  const mock = await mockWith();
  await mock.state.import({ '/tasks': [{ title: 'a' }, { id: 1, title: 'b' }, { id: 40, title: 'c' }] });
  expect((await mock.state.export())['/tasks']).toEqual([
    { id: 2, title: 'a' },
    { id: 1, title: 'b' },
    { id: 40, title: 'c' },
  ]);
  expect((await post(mock, '/tasks', { title: 'd' })).body).toEqual({ id: 41, title: 'd' });
});

test('takes duplicates where the policy does, and exports them so that they come in again', async () => {
  const mock = await mockWith({ policy: { 'duplicate-key': 'accept' } });
  const rows = {
    '/orders': [
      { id: 1, name: 'a' },
      { id: 1, name: 'b' },
    ],
  };
  await mock.state.import(rows);
  await post(mock, '/orders', { id: 1, name: 'c' });
  expect((await mock.state.list('/orders')).resources.map(({ key }) => key)).toEqual(['1', '1 1', '1 2']);
  const exported = await mock.state.export();
  await mock.state.import(exported);
  expect(await mock.state.export()).toEqual(exported);
});

test('a create beside duplicates that were merged in is kept under a number of its own', async () => {
  const mock = await mockWith({ policy: { 'duplicate-key': 'accept' } });
  const named = ['a', 'b', 'c'].map((name) => ({ id: 1, name }));
  await mock.state.import({ '/orders': named }, 'merge');
  await post(mock, '/orders', { id: 1, name: 'd' });
  const { resources } = await mock.state.list('/orders');
  expect(resources.map(({ value }) => value['name'])).toEqual(['a', 'b', 'c', 'd']);
});

test('a snapshot brings everything back, numbers too, as often as it is asked', async () => {
  const mock = await mockWith();
  await post(mock, '/tasks', { title: 'a' });
  await mock.state.save('one task');
  await post(mock, '/tasks', { title: 'b' });
  for (const _ of [1, 2]) {
    expect(await mock.state.restore('one task')).toBe(true);
    expect((await post(mock, '/tasks', { title: 'c' })).body).toEqual({ id: 2, title: 'c' });
  }
  expect(await mock.state.snapshots()).toEqual([{ name: 'one task', count: 1 }]);
  await mock.reset();
  expect(await mock.state.snapshots()).toHaveLength(1);
  expect(await mock.state.forget('one task')).toBe(true);
  expect(await mock.state.restore('one task')).toBe(false);
});

test.each(['', ' a', 'a/b', '..', 'x'.repeat(65), 'a\n'])('takes no snapshot named %o', async (name) => {
  const mock = await mockWith();
  await expect(mock.state.save(name)).rejects.toThrow(/^Failed to save the snapshot/u);
  await expect(mock.state.restore(name)).rejects.toThrow(/^Failed to restore the snapshot/u);
  await expect(mock.state.forget(name)).rejects.toThrow(/^Failed to forget the snapshot/u);
});

test('a path that is percent-encoded needlessly is the same collection', async () => {
  const mock = await mockWith();
  await post(mock, '/%6Frders', { id: 1, name: 'a' });
  expect((await post(mock, '/orders', { id: 1, name: 'b' })).status).toBeGreaterThanOrEqual(400);
  expect((await mock.state.get('/%6Frders', '1'))?.value).toEqual({ id: 1, name: 'a' });
});

test('creates pass over thousands of keys that are taken', async () => {
  const mock = await mockWith();
  await mock.state.import({ '/orders': [] });
  const rows = Array.from({ length: 20_000 }, (_, index) => ({ id: index + 1, title: 'x' }));
  await mock.state.import({ '/tasks': rows }, 'merge');
  expect((await post(mock, '/tasks', { title: 'next' })).body).toEqual({ id: 20_001, title: 'next' });
});

test('says that the document has no collection of this path', async () => {
  const mock = await createMock(
    contractOf({ paths: { '/orders': create(order), '/shops/{shop}/orders': create(order) } }),
  );
  const sentence = (attempt: string): string =>
    `Failed to ${attempt} "/order": /order is not a collection of this document`;
  await expect(mock.state.list('/order')).rejects.toThrow(sentence('list'));
  await expect(mock.state.list('/order', { search: 'a' })).rejects.toThrow(sentence('list'));
  await expect(mock.state.get('/order', '1')).rejects.toThrow(sentence('get a resource of'));
  await expect(mock.state.delete('/order', '1')).rejects.toThrow(sentence('delete a resource of'));
  await expect(mock.state.put('/order', { id: 1 })).rejects.toThrow(sentence('put'));
  await expect(mock.state.import({ '/order': [{ id: 1 }] })).rejects.toThrow(sentence('import'));
  expect(await mock.state.list('/shops/7/orders')).toEqual({ total: 0, resources: [] });
});
