import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import type { JsonObject } from '../../json/value.ts';
import { createPolicy } from '../../policy/policy.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import type { Store } from '../store/store.ts';
import { createCollections } from './collections.ts';
import { mergeRows, StartData } from './initial-data.ts';
import type { StateRows } from './rows.ts';

const order: JsonObject = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const newTask: JsonObject = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string' } },
};
const task: JsonObject = { ...newTask, properties: { id: { type: 'integer' }, title: { type: 'string' } } };

function collection(body: JsonObject, answer: JsonObject): JsonObject {
  return {
    post: {
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
      responses: { '201': { description: 'created', content: { 'application/json': { schema: answer } } } },
    },
  };
}

const contract = contractOf({
  paths: { '/orders': collection(order, order), '/tasks': collection(newTask, task) },
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

const first = { id: 1, name: 'first' };
const second = { id: 2, name: 'second' };

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
