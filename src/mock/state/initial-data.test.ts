import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createMockClient } from '../../../fixtures/mock-client.ts';
import type { ClientResponse } from '../../../fixtures/service-client.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonObject } from '../../json/value.ts';
import { createPolicy } from '../../policy/policy.ts';
import { createMock } from '../create-mock.ts';
import type { Mock, MockOptions } from '../mock.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import type { Store } from '../store/store.ts';
import { createCollections } from './collections.ts';
import { parseData } from './data-file.ts';
import { mergeRows, StartData } from './initial-data.ts';
import type { StateRows } from './rows.ts';

function content(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

function collection(body: JsonObject, answer: JsonObject = body): JsonObject {
  return {
    post: {
      requestBody: { required: true, content: content(body) },
      responses: { '201': { description: 'created', content: content(answer) } },
    },
  };
}

const order: JsonObject = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string' } },
};
const newTask: JsonObject = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string' } },
};
const task: JsonObject = {
  ...newTask,
  properties: { id: { type: 'integer' }, title: { type: 'string' } },
};
const orders = contractOf({ paths: { '/orders': collection(order) } });
const both = contractOf({ paths: { '/orders': collection(order), '/tasks': collection(newTask, task) } });

const first = { id: 1, name: 'first' };
const second = { id: 2, name: 'second' };

async function namesOf(mock: Mock): Promise<readonly unknown[]> {
  const { resources } = await mock.state.list('/orders');
  return resources.map(({ value }) => value['name']);
}

function create(mock: Mock, path: string, body: JsonObject): Promise<ClientResponse> {
  return createMockClient(mock).post(path, body);
}

function started(options: MockOptions): Promise<Mock> {
  return createMock(both, options);
}

test('a mock starts from its data, and goes back to it on reset', async () => {
  const mock = await started({ data: { '/orders': [first], '/tasks': [{ title: 'a' }] } });
  expect(mock.dataReport).toEqual({
    source: 'given',
    collections: [
      { name: '/orders', count: 1 },
      { name: '/tasks', count: 1 },
    ],
    added: 2,
    present: 0,
    replaced: 0,
    removed: 0,
    left: [],
    short: [],
  });
  expect((await create(mock, '/orders', first)).status).toBeGreaterThanOrEqual(400);
  await create(mock, '/orders', second);
  expect((await create(mock, '/tasks', { title: 'b' })).body).toEqual({ id: 2, title: 'b' });
  await mock.state.delete('/orders', '1');
  await mock.reset();
  expect(await mock.state.export()).toEqual({ '/orders': [first], '/tasks': [{ title: 'a', id: 1 }] });
  expect((await create(mock, '/tasks', { title: 'b' })).body).toEqual({ id: 2, title: 'b' });
});

test('a mock without data is empty after a reset', async () => {
  const mock = await started({});
  await create(mock, '/orders', first);
  await mock.reset();
  expect([await mock.state.export(), mock.dataReport]).toEqual([{}, undefined]);
});

test('rows alone belong to the one collection that there is', async () => {
  const mock = await createMock(orders, { data: [first, second] });
  expect(await namesOf(mock)).toEqual(['first', 'second']);
  await expect(started({ data: [first] })).rejects.toThrow(
    'Failed to import "a list of rows": they are rows alone, and may belong to /orders or /tasks. ' +
      'Give rows by the path of their collection: { "/orders": [ … ] }.',
  );
});

test('a mock does not start from data of which a row is wrong, and says where each stands', async () => {
  const data = await parseData({
    file: 'orders.yaml',
    text: '/orders:\n  - id: 1\n    name: a\n  - id: x\n    name: b\n  - name: c\n',
  });
  await expect(started({ data })).rejects.toThrow(
    'Failed to import "orders.yaml": ' +
      'orders.yaml:4:5: /id must be an integer, but is a string; ' +
      'orders.yaml:6:5: /id is required, but missing. ' +
      'Nothing was imported.',
  );
});

test.each([
  [7, /^Failed to import "7": it is neither a list of rows nor an object of such lists/u],
  [null, /^Failed to import "null": it is neither/u],
  [{ '/orders': first }, /^Failed to import "\/orders": it is not a list of rows/u],
  [{ '/orders': ['x'] }, /\/orders, row 1: a row must be an object/u],
  [{ '/orders': [undefined] }, /\/orders, row 1: it is no JSON value/u],
  [
    { '/plates': [first] },
    /^Failed to import "\/plates": \/plates is not a collection of this document \(it has \/orders, \/tasks[^)]*\)\. Nothing was imported\.$/u,
  ],
])('data of another shape is refused: %o', async (data, sentence) => {
  // `as`: what JavaScript may hand in.
  await expect(started({ data: data as never })).rejects.toThrow(sentence);
});

test('an export is a file to start from', async () => {
  const mock = await started({});
  const body = '{ "id": 9007199254740993, "name": "1.0" }';
  await createMockClient(mock).post('/orders', body);
  await create(mock, '/tasks', { title: 'a' });
  // `as`: an export is JSON.
  const text = stringifyJson((await mock.state.export()) as JsonObject);
  const again = await started({ data: await parseData({ file: 'export.json', text }) });
  expect(stringifyJson((await again.state.export()) as JsonObject)).toBe(text);
});

test('changed data puts what changed, takes away what is gone, and leaves what was changed since', async () => {
  const third = { id: 3, name: 'third' };
  const fourth = { id: 4, name: 'fourth' };
  const mock = await started({ data: { '/orders': [first, second, third, fourth] } });
  await mock.state.put('/orders', { id: 2, name: 'mine' });
  await mock.state.put('/orders', { id: 3, name: 'mine too' });
  await mock.state.delete('/orders', '4');
  await create(mock, '/orders', { id: 9, name: 'created' });
  await mock.change({
    data: { '/orders': [second, { id: 3, name: 'changed' }, fourth, { id: 5, name: 'new' }] },
  });
  expect(mock.dataReport).toMatchObject({
    added: 1,
    present: 2,
    replaced: 1,
    removed: 1,
    left: [],
    short: [],
  });
  expect(new Set(await namesOf(mock))).toEqual(new Set(['mine', 'created', 'changed', 'new']));
  await mock.reset();
  expect(await namesOf(mock)).toEqual(['second', 'changed', 'fourth', 'new']);
});

test('changed data that is wrong changes nothing', async () => {
  const mock = await started({ data: { '/orders': [first] } });
  const wrong = { '/orders': [second, { id: 'x', name: 'a' }] };
  await expect(mock.change({ data: wrong })).rejects.toThrow('/orders, row 2: /id must be an integer');
  expect(await namesOf(mock)).toEqual(['first']);
  await mock.reset();
  expect(await namesOf(mock)).toEqual(['first']);
});

test('two rows may change their unique values for each other', async () => {
  const policy = { 'unique-properties': ['name'] };
  const mock = await started({ policy, data: { '/orders': [first, second, { id: 3, name: 'third' }] } });
  await mock.change({
    data: {
      '/orders': [
        { id: 1, name: 'second' },
        { id: 2, name: 'new' },
        { id: 3, name: 'third' },
      ],
    },
  });
  expect([await namesOf(mock), mock.dataReport?.left]).toEqual([['second', 'new', 'third'], []]);
});

test('data that is wrong under a contract that comes with it changes nothing', async () => {
  const mock = await started({ data: { '/orders': [first] } });
  const data = { '/orders': [first] };
  await expect(
    mock.change({ contract: contractOf({ paths: { '/tasks': collection(newTask, task) } }), data }),
  ).rejects.toThrow('/orders is not a collection of this document (it has /tasks). Nothing was imported.');
  expect(mock.contract).toBe(both);
  expect(await namesOf(mock)).toEqual(['first']);
});

test('rows that a changed contract does not take are left out of a reset, and named', async () => {
  const mock = await started({ data: { '/orders': [first], '/tasks': [{ title: 'a' }] } });
  const strict = { ...order, properties: { id: { type: 'integer' }, name: { const: 'other' } } };
  await mock.change({
    contract: contractOf({
      paths: { '/orders': collection(strict), '/tasks': collection(newTask, task) },
    }),
  });
  await mock.reset();
  expect(Object.keys(await mock.state.export())).toEqual(['/tasks']);
  expect(mock.dataReport?.left).toEqual([
    { collection: '/orders', index: 0, place: undefined, reason: '/name must be "other", but is "first"' },
  ]);
});

test('rows get at the start what the service makes of them, and it stays the same', async () => {
  const made = {
    id: { type: 'integer', readOnly: true },
    createdAt: { type: 'string', format: 'date-time', readOnly: true },
    version: { type: 'integer', readOnly: true },
  };
  const note = {
    type: 'object',
    required: ['text'],
    properties: { ...made, text: { type: 'string' }, status: { type: 'string', default: 'open' } },
  };
  const inPath = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const shown = { responses: { '200': { description: 'It.', content: content(note) } } };
  const notes = contractOf({
    paths: { '/notes': collection(note), '/notes/{id}': { parameters: [inPath], get: shown } },
  });
  const data = { '/notes': [{ text: 'a' }, { text: 'b', createdAt: '2020-01-01T00:00:00Z', version: 4 }] };
  const mock = await createMock(notes, { data, clock: () => Date.UTC(2026, 0, 1) });
  const first = { id: 1, text: 'a', createdAt: '2026-01-01T00:00:00.000Z', version: 1, status: 'open' };
  expect((await createMockClient(mock).get('/notes/1')).body).toEqual(first);
  expect((await mock.state.get('/notes', '2'))?.value).toMatchObject({
    createdAt: '2020-01-01T00:00:00Z',
    version: 4,
  });
  mock.clock.advance(60_000);
  expect((await mock.state.get('/notes', '1'))?.value).toEqual(first);
  await mock.change({ data: { '/notes': [...data['/notes'], { text: 'c' }] } });
  expect(mock.dataReport).toMatchObject({ added: 1, present: 2, replaced: 0 });
  await mock.reset(['state']);
  expect((await mock.state.get('/notes', '1'))?.value).toEqual(first);
});

const namedOrder: JsonObject = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const titledTask: JsonObject = {
  ...newTask,
  properties: { id: { type: 'integer' }, title: { type: 'string' } },
};

function createOnly(body: JsonObject, answer: JsonObject): JsonObject {
  return {
    post: {
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
      responses: { '201': { description: 'created', content: { 'application/json': { schema: answer } } } },
    },
  };
}

const contract = contractOf({
  paths: { '/orders': createOnly(namedOrder, namedOrder), '/tasks': createOnly(newTask, titledTask) },
});
const collections = createCollections(contract, createPolicy({ 'unique-properties': ['name'] }));

/** What one of several mocks that share a store starts from. */
function startOn(store: Store, given: StateRows): StartData {
  return new StartData({
    store,
    collections: () => collections,
    given,
    count: 0,
    seed: 1,
    clock: Date.now,
  });
}

test('rows that a store has already stay as they are there, keys that were made too', async () => {
  const store = createMemoryStore();
  const rows = { '/orders': [first], '/tasks': [{ title: 'a' }, { title: 'b' }] };
  expect(await startOn(store, rows).begin()).toMatchObject({ added: 3, present: 0 });
  const [resource] = await store.list('/orders', { offset: 0, limit: 1 });
  const changed = { collection: '/orders', key: 1, text: '{"id":1,"name":"changed"}', claims: [] };
  expect(resource?.key).toBe(1);
  await store.replace(changed);
  expect(await startOn(store, rows).begin()).toMatchObject({ added: 0, present: 3, left: [] });
  expect(await store.get('/orders', 1)).toBe(changed.text);
  expect(await store.collections()).toEqual([
    { name: '/orders', count: 1 },
    { name: '/tasks', count: 2 },
  ]);
});

test('a row whose unique value somebody has by now is left out, and named', async () => {
  const store = createMemoryStore();
  await startOn(store, { '/orders': [{ id: 7, name: 'first' }] }).begin();
  const report = await startOn(store, { '/orders': [first, second] }).begin();
  expect(report).toMatchObject({ added: 1, present: 0 });
  expect(report?.left).toEqual([
    {
      collection: '/orders',
      index: 0,
      place: undefined,
      reason: 'the value of "name" is taken: another resource has it, and it must be unique',
    },
  ]);
});

test('a merge that somebody else stands in the way of takes back what it brought in', async () => {
  const store = createMemoryStore();
  await startOn(store, { '/orders': [first] }).begin();
  /** Somebody takes the name of the second row once the first one is in. */
  const busy: Store = {
    ...store,
    async replace(resource) {
      const outcome = await store.replace(resource);
      if (resource.key === 1 && resource.text.includes('mine')) {
        await store.insertIfAbsent({
          collection: '/orders',
          key: 9,
          text: '{"id":9,"name":"second"}',
          claims: ['name\0"second"'],
        });
      }
      return outcome;
    },
  };
  const rows = { '/tasks': [{ title: 'a' }], '/orders': [{ id: 1, name: 'mine' }, second] };
  await expect(mergeRows(busy, rows, { collections, now: 0 })).rejects.toThrow(
    'Failed to import "/tasks, /orders": /orders, row 2: the value of "name" is taken',
  );
  expect(await store.get('/orders', 1)).toBe('{"id":1,"name":"first"}');
  expect(await store.collections()).toEqual([{ name: '/orders', count: 2 }]);
});

test('a merge gives rows without keys those that are free by then', async () => {
  const store = createMemoryStore();
  await store.nextNumber('/tasks');
  const taken = { collection: '/tasks', key: 3, text: '{"id":3,"title":"x"}', claims: [] };
  const busy: Store = {
    ...store,
    async dump() {
      const content = await store.dump();
      await store.insertIfAbsent(taken);
      return content;
    },
  };
  const rows = { '/tasks': [{ title: 'a' }, { title: 'b' }] };
  expect(await mergeRows(busy, rows, { collections, now: 0 })).toEqual({ added: 2, replaced: 0 });
  const kept = await store.list('/tasks', { offset: 0, limit: 9 });
  expect(kept.map(({ key }) => key)).toEqual([3, 2, 4]);
  expect(kept[0]?.text).toBe(taken.text);
});

test('rows come into a store beside what others created meanwhile, however many', async () => {
  const store = createMemoryStore();
  const created = { collection: '/orders', key: 9000, text: '{"id":9000,"name":"created"}', claims: [] };
  const meanwhile: Store = {
    ...store,
    async loadIfEmpty(content) {
      await store.insertIfAbsent(created);
      return store.loadIfEmpty(content);
    },
  };
  const rows = Array.from({ length: 1200 }, (_, id) => ({ id, name: `order ${id}` }));
  expect(await startOn(meanwhile, { '/orders': rows }).begin()).toMatchObject({ added: 1200, left: [] });
  expect(await store.get('/orders', 9000)).toBe(created.text);
  expect(await store.collections()).toEqual([{ name: '/orders', count: 1201 }]);
});

test('creates go on behind the keys that were made for rows', async () => {
  const store = createMemoryStore();
  await store.insertIfAbsent({ collection: '/orders', key: 1, text: '{}', claims: [] });
  await startOn(store, { '/tasks': [{ title: 'a' }, { title: 'b' }] }).begin();
  expect(await store.nextNumber('/tasks')).toBe(3);
});

test('a row that is new in changed data leaves what has its key by now', async () => {
  const store = createMemoryStore();
  const data = startOn(store, { '/orders': [first] });
  await data.begin();
  const created = { collection: '/orders', key: 2, text: '{"id":2,"name":"created"}', claims: [] };
  await store.insertIfAbsent(created);
  expect(await data.change({ '/orders': [first, second] })).toMatchObject({ added: 0, present: 2 });
  expect(await store.get('/orders', 2)).toBe(created.text);
});

test('brings in the rest of changed data where the store failed on the way', async () => {
  const store = createMemoryStore();
  let isAway = false;
  const failing: Store = {
    ...store,
    insertIfAbsent(resource) {
      if (isAway) throw new Error('gone');
      return store.insertIfAbsent(resource);
    },
  };
  const data = startOn(failing, { '/orders': [first] });
  await data.begin();
  isAway = true;
  const changed = { '/orders': [{ ...first, name: 'changed' }, second] };
  await expect(data.change(changed)).rejects.toThrow('gone');
  isAway = false;
  expect(await data.change(changed)).toMatchObject({ added: 1 });
  expect(await store.get('/orders', 1)).toBe('{"id":1,"name":"changed"}');
});
