import { afterEach, describe, expect, test } from 'vitest';
import { ExactNumber } from '../../json/exact-number.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { Store, StoredResource } from './store.ts';

function resource(changes: Partial<StoredResource> = {}): StoredResource {
  return { collection: '/orders', key: '1', value: { id: 1, note: 'first' }, claims: [], ...changes };
}

/**
 * What every kind of store must do, as tests.
 *
 * @param kind - how the tests are headed
 * @param createStore - makes an empty store
 */
export function describeStore(kind: string, createStore: () => MaybePromise<Store>): void {
  describe(`a ${kind} store`, () => {
    const opened: Store[] = [];
    async function open(): Promise<Store> {
      const store = await createStore();
      opened.push(store);
      return store;
    }
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((store) => store.close()));
    });

    test('keeps a resource under its key', async () => {
      const store = await open();
      expect(await store.insertIfAbsent(resource())).toEqual({ kind: 'stored' });
      expect(await store.get('/orders', '1')).toEqual({ id: 1, note: 'first' });
      expect(await store.get('/orders', '2')).toBeUndefined();
    });

    test('leaves the first resource in place when its key comes again, and gives it back', async () => {
      const store = await open();
      await store.insertIfAbsent(resource());
      const outcome = await store.insertIfAbsent(resource({ value: { id: 1, note: 'second' } }));
      expect(outcome).toEqual({ kind: 'key-taken', value: { id: 1, note: 'first' } });
      expect(await store.get('/orders', '1')).toEqual({ id: 1, note: 'first' });
    });

    test('stores one of many that are inserted at once under one key', async () => {
      const store = await open();
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, index) => store.insertIfAbsent(resource({ value: { index } }))),
      );
      expect(outcomes.filter(({ kind }) => kind === 'stored')).toHaveLength(1);
    });

    test('keeps collections apart', async () => {
      const store = await open();
      await store.insertIfAbsent(resource());
      expect(await store.insertIfAbsent(resource({ collection: '/shops/1/orders' }))).toEqual({ kind: 'stored' });
    });

    test.each(['__proto__', 'constructor', '', 'a/b', '\u{1F331}'])('takes %j for a key like any other', async (key) => {
      const store = await open();
      expect(await store.get('/orders', key)).toBeUndefined();
      expect(await store.insertIfAbsent(resource({ key }))).toEqual({ kind: 'stored' });
      expect((await store.insertIfAbsent(resource({ key }))).kind).toBe('key-taken');
    });

    test('gives numbers and properties back to the last digit', async () => {
      const store = await open();
      const value: JsonObject = { id: new ExactNumber('9007199254740993'), ['__proto__']: 'own', list: [1, null] };
      await store.insertIfAbsent(resource({ value }));
      const found = (await store.get('/orders', '1')) ?? null;
      expect(stringifyJson(found)).toBe('{"id":9007199254740993,"__proto__":"own","list":[1,null]}');
    });

    test('replaces a resource, or keeps it as the first', async () => {
      const store = await open();
      expect(await store.replace(resource())).toEqual({ kind: 'stored' });
      expect(await store.replace(resource({ value: { id: 1, note: 'second' } }))).toEqual({ kind: 'stored' });
      expect(await store.get('/orders', '1')).toEqual({ id: 1, note: 'second' });
    });

    test('refuses a claim that another resource of the collection holds', async () => {
      const store = await open();
      await store.insertIfAbsent(resource({ claims: ['name "a"'] }));
      const claimTaken = { kind: 'claim-taken', claim: 'name "a"' };
      expect(await store.insertIfAbsent(resource({ key: '2', claims: ['name "a"'] }))).toEqual(claimTaken);
      expect(await store.get('/orders', '2')).toBeUndefined();
      await store.insertIfAbsent(resource({ key: '3', claims: ['name "c"'] }));
      expect(await store.replace(resource({ key: '3', claims: ['name "a"'] }))).toEqual(claimTaken);
      expect(
        await store.insertIfAbsent(resource({ collection: '/others', key: '2', claims: ['name "a"'] })),
      ).toEqual({ kind: 'stored' });
    });

    test('frees the claims of a resource that is replaced', async () => {
      const store = await open();
      await store.insertIfAbsent(resource({ claims: ['name "a"'] }));
      expect(await store.replace(resource({ claims: ['name "b"'] }))).toEqual({ kind: 'stored' });
      expect(await store.insertIfAbsent(resource({ key: '2', claims: ['name "a"'] }))).toEqual({ kind: 'stored' });
      expect((await store.insertIfAbsent(resource({ key: '3', claims: ['name "b"'] }))).kind).toBe('claim-taken');
    });

    test('counts from 1 in each collection', async () => {
      const store = await open();
      expect([await store.nextNumber('/orders'), await store.nextNumber('/orders')]).toEqual([1, 2]);
      expect(await store.nextNumber('/others')).toBe(1);
    });

    test('forgets everything on reset', async () => {
      const store = await open();
      await store.insertIfAbsent(resource({ claims: ['name "a"'] }));
      await store.nextNumber('/orders');
      await store.reset();
      expect(await store.get('/orders', '1')).toBeUndefined();
      expect(await store.nextNumber('/orders')).toBe(1);
      expect(await store.insertIfAbsent(resource({ key: '2', claims: ['name "a"'] }))).toEqual({ kind: 'stored' });
    });
  });
}
