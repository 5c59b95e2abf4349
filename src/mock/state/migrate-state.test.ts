import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { shopPaths } from '../../../fixtures/shops.ts';
import type { Contract } from '../../contract/contract.ts';
import type { JsonObject } from '../../json/value.ts';
import { createPolicy, type Policy } from '../../policy/policy.ts';
import { createMock } from '../create-mock.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { type KeptCollection, type Store, toStoreKey } from '../store/store.ts';
import { ordersWith } from '../../../fixtures/orders-with.ts';
import { type ChangeReport, keepWhatFits } from './migrate-state.ts';

const order = { id: { type: 'integer' }, name: { type: 'string' } };

/** A contract whose one collection takes such bodies. */
function ordersOf(schema: JsonObject, path = '/orders'): Contract {
  const media = { 'application/json': { schema } };
  const operation = {
    requestBody: { required: true, content: media },
    responses: { 200: { description: 'Kept.', content: media }, 400: { description: 'Refused.' } },
  };
  return contractOf({ paths: { [path]: { post: operation } } });
}

const orders = ordersOf({ type: 'object', required: ['id'], properties: order });
const named = ordersOf({ type: 'object', required: ['id', 'name'], properties: order });

async function storeOf(...rows: readonly JsonObject[]): Promise<Store> {
  const store = createMemoryStore();
  for (const row of rows) {
    const text = JSON.stringify(row);
    await store.insertIfAbsent({
      collection: '/orders',
      key: toStoreKey(row['id'] ?? 0),
      text,
      claims: [],
    });
  }
  return store;
}

function change(input: {
  readonly store: Store;
  readonly from: Contract;
  readonly to: Contract;
  readonly was?: Partial<Policy>;
  readonly is?: Partial<Policy>;
}): Promise<ChangeReport> {
  const { store, from, to, was = {}, is = {} } = input;
  return keepWhatFits({
    store,
    before: { contract: from, policy: createPolicy(was) },
    now: { contract: to, policy: createPolicy(is) },
  });
}

async function textsOf(store: Store, collection = '/orders'): Promise<readonly string[]> {
  const resources = await store.list(collection, { offset: 0, limit: 100 });
  return resources.map(({ text }) => text);
}

test('sets aside what the new schema does not take, and brings it back when it does again', async () => {
  const store = await storeOf({ id: 1, name: 'a' }, { id: 2 }, { id: 3, name: 'c' });
  expect(await change({ store, from: orders, to: named })).toEqual({
    kept: 2,
    setAside: [{ collection: '/orders', key: '2', reason: '/name is required, but missing' }],
    broughtBack: 0,
  });
  expect(await textsOf(store)).toEqual(['{"id":1,"name":"a"}', '{"id":3,"name":"c"}']);
  expect(await store.snapshots()).toEqual([{ name: 'set-aside', count: 1 }]);
  expect(await change({ store, from: named, to: orders })).toEqual({ kept: 2, setAside: [], broughtBack: 1 });
  expect(await textsOf(store)).toContain('{"id":2}');
  expect(await store.snapshots()).toEqual([]);
});

test('sets aside a collection that is gone, every digit of it', async () => {
  const store = createMemoryStore();
  const text = '{"id":9007199254740993,"name":"a"}';
  await store.insertIfAbsent({ collection: '/orders', key: '9007199254740993', text, claims: [] });
  const elsewhere = ordersOf({ type: 'object', required: ['id'], properties: order }, '/things');
  const { setAside } = await change({ store, from: orders, to: elsewhere });
  expect(setAside).toEqual([
    {
      collection: '/orders',
      key: '9007199254740993',
      reason: '/orders is not a collection of this document (it has /things)',
    },
  ]);
  expect((await change({ store, from: elsewhere, to: orders })).broughtBack).toBe(1);
  expect(await textsOf(store)).toEqual([text]);
});

test('leaves alone what is outside while another has taken its place', async () => {
  const store = await storeOf({ id: 2 });
  await change({ store, from: orders, to: named });
  await store.insertIfAbsent({ collection: '/orders', key: 2, text: '{"id":2,"name":"b"}', claims: [] });
  expect(await change({ store, from: named, to: orders })).toEqual({ kept: 1, setAside: [], broughtBack: 0 });
  expect(await store.snapshots()).toEqual([{ name: 'set-aside', count: 1 }]);
  await store.delete('/orders', 2);
  expect((await change({ store, from: orders, to: orders })).broughtBack).toBe(1);
});

test('keeps resources under the property that is the key now, and sets aside the later of two with one key', async () => {
  const store = await storeOf({ id: 1, code: 2 }, { id: 2, code: 1 }, { id: 3, code: 1 }, { id: 4 });
  const properties = { id: { type: 'integer' }, code: { type: 'integer' } };
  const schema = { type: 'object', properties };
  const byId = ordersOf({ ...schema, required: ['id'] });
  const byCode = ordersOf({ type: 'object', required: ['code'], properties: { ...properties, id: {} } });
  const key = { kind: 'client' as const, property: 'code', evidence: '' };
  const item = byCode.operations.map((operation) => {
    const kind = operation.kind.kind === 'create' ? operation.kind : ({} as never);
    return { ...operation, kind: { ...kind, key, resource: { ...kind.resource, key } } };
  });
  const report = await change({ store, from: byId, to: { ...byCode, operations: item } });
  expect(report).toEqual({
    kept: 2,
    setAside: [
      { collection: '/orders', key: '3', reason: 'another resource has its key 1' },
      { collection: '/orders', key: '4', reason: '/code is required, but missing' },
    ],
    broughtBack: 0,
  });
  expect([await store.get('/orders', 1), await store.get('/orders', 2)]).toEqual([
    '{"id":2,"code":1}',
    '{"id":1,"code":2}',
  ]);
});

test('sets aside the later of two that share what must be unique now, and holds later ones against the first', async () => {
  const store = await storeOf({ id: 1, name: 'a' }, { id: 2, name: 'a' }, { id: 3 });
  const is: Partial<Policy> = { 'unique-properties': ['name'] };
  const { kept, setAside } = await change({ store, from: orders, to: orders, is });
  expect([kept, setAside]).toEqual([
    2,
    [
      {
        collection: '/orders',
        key: '2',
        reason: 'the value of "name" is taken: another resource has it, and it must be unique',
      },
    ],
  ]);
  const claims = ['name\0"a"'];
  expect(await store.insertIfAbsent({ collection: '/orders', key: 4, text: '{}', claims })).toMatchObject({
    kind: 'claim-taken',
  });
  expect((await change({ store, from: orders, to: orders, was: is })).broughtBack).toBe(1);
});

test('keeps resources that stand beside another of their key as long as the policy takes such', async () => {
  const store = await storeOf({ id: 1 });
  await store.insertIfAbsent({ collection: '/orders', key: '1 1', text: '{"id":1,"name":"b"}', claims: [] });
  const accept: Partial<Policy> = { 'duplicate-key': 'accept' };
  const bounded: Partial<Policy> = { ...accept, constraints: { name: { maxLength: 3 } } };
  expect((await change({ store, from: orders, to: orders, was: accept, is: bounded })).kept).toBe(2);
  expect((await change({ store, from: orders, to: orders, was: bounded })).setAside).toEqual([
    { collection: '/orders', key: '1 1', reason: 'another resource has its key 1' },
  ]);
});

test('does not look through a collection whose rules are the same', async () => {
  const store = await storeOf({ id: 1 });
  const list = (): never => {
    throw new Error('the collection was looked through');
  };
  const same = ordersOf({ type: 'object', required: ['id'], properties: order });
  expect(await change({ store: { ...store, list }, from: orders, to: same })).toEqual({
    kept: 1,
    setAside: [],
    broughtBack: 0,
  });
  await expect(change({ store: { ...store, list }, from: orders, to: named })).rejects.toThrow('looked');
});

test('loses nothing where the store fails on the way', async () => {
  const store = await storeOf({ id: 1 }, { id: 2 });
  const failing: Store = {
    ...store,
    delete(collection, key) {
      if (key === 2) throw new Error('gone');
      return store.delete(collection, key);
    },
  };
  await expect(change({ store: failing, from: orders, to: named })).rejects.toThrow('gone');
  expect(await store.readSnapshot('set-aside')).toMatchObject({
    collections: [{ resources: [{ text: '{"id":1}' }, { text: '{"id":2}' }] }],
  });
  expect((await change({ store, from: named, to: orders })).broughtBack).toBe(2);
  expect(await textsOf(store)).toEqual(['{"id":2}', '{"id":1}']);
  expect(await store.snapshots()).toEqual([]);
});

test('leaves what a client replaces meanwhile', async () => {
  const store = await storeOf({ id: 1 });
  const text = '{"id":1,"name":"new"}';
  const meanwhile: Store = {
    ...store,
    readSnapshot(name) {
      void store.replace({ collection: '/orders', key: 1, text, claims: [] });
      return store.readSnapshot(name);
    },
  };
  const report = await change({ store: meanwhile, from: orders, to: named });
  expect(report).toEqual({ kept: 1, setAside: [], broughtBack: 0 });
  expect(await textsOf(store)).toEqual([text]);
});

/** A store whose answers take a while, as those of one that is elsewhere: others have their turn in between. */
function slow(store: Store): Store {
  async function late<T>(handle: () => T): Promise<Awaited<T>> {
    await new Promise((resolve) => setImmediate(resolve));
    return await handle();
  }
  return {
    ...store,
    get: (collection, key) => late(() => store.get(collection, key)),
    delete: (collection, key) => late(() => store.delete(collection, key)),
    insertIfAbsent: (resource) => late(() => store.insertIfAbsent(resource)),
    list: (collection, page) => late(() => store.list(collection, page)),
    readSnapshot: (name) => late(() => store.readSnapshot(name)),
    swapSnapshot: (swap) => late(() => store.swapSnapshot(swap)),
  };
}

test('loses nothing where two mocks on one store change at the same moment', async () => {
  const store = await storeOf({ id: 1, name: 'a' }, { id: 2 }, { id: 3 });
  const mocks = [slow(store), slow(store)];
  await Promise.all(mocks.map((each) => change({ store: each, from: orders, to: named })));
  expect(await textsOf(store)).toEqual(['{"id":1,"name":"a"}']);
  expect(await store.snapshots()).toEqual([{ name: 'set-aside', count: 2 }]);
  await Promise.all(mocks.map((each) => change({ store: each, from: named, to: orders })));
  expect((await textsOf(store)).toSorted()).toEqual(['{"id":1,"name":"a"}', '{"id":2}', '{"id":3}']);
  expect(await store.snapshots()).toEqual([]);
});

test('looks through everything where it is not known what the state fits', async () => {
  const store = await storeOf({ id: 1 });
  const now = { contract: named, policy: createPolicy({}) };
  expect((await keepWhatFits({ store, before: undefined, now })).setAside).toHaveLength(1);
});

test('brings a child back only below its parent, and the parent first', async () => {
  const shops = contractOf({ paths: shopPaths });
  const store = createMemoryStore();
  const kept = (name: string, id: string): KeptCollection => ({
    name,
    lastNumber: 0,
    resources: [{ key: `"${id}"`, text: `{"id":"${id}"}`, claims: [] }],
  });
  const collections = [kept('/shops/a/orders', 'c'), kept('/shops/b/orders', 'd'), kept('/shops', 'a')];
  await store.saveSnapshot('set-aside', { collections });
  expect(await change({ store, from: orders, to: shops })).toMatchObject({ broughtBack: 2 });
  expect(await textsOf(store, '/shops/a/orders')).toEqual(['{"id":"c"}']);
  expect(await textsOf(store, '/shops/b/orders')).toEqual([]);
});

const withId = ordersWith('id');
const withIdAndName = ordersWith('id', 'name');

test('sets aside what a snapshot holds that does not fit any more', async () => {
  const mock = await createMock(withId, { data: { '/orders': [{ id: 1 }, { id: 2, name: 'b' }] } });
  await mock.state.save('two');
  await mock.change({ contract: withIdAndName });
  expect(await mock.state.restore('two')).toBe(true);
  expect(await mock.state.export()).toEqual({ '/orders': [{ id: 2, name: 'b' }] });
  expect(await mock.state.snapshots()).toEqual([
    { name: 'set-aside', count: 1 },
    { name: 'two', count: 2 },
  ]);
  await mock.change({ contract: withId });
  expect((await mock.state.list('/orders')).total).toBe(2);
});

test('forgets with the state that a snapshot takes the place of what was set aside of it', async () => {
  const mock = await createMock(withId, { data: { '/orders': [{ id: 1 }] } });
  await mock.state.save('one');
  await mock.state.put('/orders', { id: 2 });
  await mock.change({ contract: withIdAndName });
  await mock.state.restore('one');
  expect((await mock.change({ contract: withId })).broughtBack).toBe(1);
  expect(await mock.state.export()).toEqual({ '/orders': [{ id: 1 }] });
});

test('keeps the name under which it sets aside to itself', async () => {
  const mock = await createMock(withId);
  await expect(mock.state.save('set-aside')).rejects.toThrow('Choose another name');
  await expect(mock.state.restore('set-aside')).rejects.toThrow('Choose another name');
  expect(await mock.state.forget('set-aside')).toBe(false);
});

test('knows no more snapshots than before', async () => {
  const mock = await createMock(withId);
  expect(await mock.state.restore('none')).toBe(false);
});
