import { deepEqual, equal } from 'node:assert/strict';
import type { StoreLaw } from '../store-law.ts';
import type { Store } from '../store.ts';
import { someResource } from './some-resource.ts';

async function keysOf(store: Store, offset = 0, limit = 100): Promise<readonly unknown[]> {
  return (await store.list('/orders', { offset, limit })).map(({ key }) => key);
}

/** How a store counts and lists. */
export const listingLaws: readonly StoreLaw[] = [
  {
    title: 'counts from 1 in each collection',
    async prove(store) {
      deepEqual([await store.nextNumber('/orders'), await store.nextNumber('/orders')], [1, 2]);
      equal(await store.nextNumber('/others'), 1);
      const numbers = await Promise.all(Array.from({ length: 20 }, async () => store.nextNumber('/orders')));
      equal(new Set(numbers).size, 20);
    },
  },
  {
    title: 'lists resources in the order in which they came, and one that came again as the last',
    async prove(store) {
      for (const key of [3, '1', 2, 'b', 1]) {
        await store.insertIfAbsent(someResource({ key }));
      }
      deepEqual(await keysOf(store), [3, '1', 2, 'b', 1]);
      await store.replace(someResource({ key: '1', text: '{"id":"new"}' }));
      await store.replace(someResource({ key: 'c' }));
      deepEqual(await keysOf(store), [3, '1', 2, 'b', 1, 'c']);
      await store.delete('/orders', 3);
      await store.delete('/orders', 'c');
      await store.insertIfAbsent(someResource({ key: 3 }));
      deepEqual(await keysOf(store), ['1', 2, 'b', 1, 3]);
      equal((await store.list('/orders', { offset: 0, limit: 1 }))[0]?.text, '{"id":"new"}');
    },
  },
  {
    title: 'lists a page of a collection, with the claims of each resource',
    async prove(store) {
      for (let key = 0; key < 25; key += 1) {
        await store.insertIfAbsent(someResource({ key, text: `{"id":${key}}`, claims: [`id ${key}`] }));
      }
      await store.insertIfAbsent(someResource({ collection: '/others', key: 99 }));
      deepEqual(await keysOf(store, 10, 3), [10, 11, 12]);
      deepEqual(await keysOf(store, 23, 10), [23, 24]);
      deepEqual(await keysOf(store, 25, 10), []);
      deepEqual(await keysOf(store, 0, 0), []);
      equal((await keysOf(store, 0, Number.MAX_SAFE_INTEGER)).length, 25);
      deepEqual(await store.list('/orders', { offset: 7, limit: 1 }), [
        { key: 7, text: '{"id":7}', claims: ['id 7'] },
      ]);
      deepEqual(await store.list('/nothing', { offset: 0, limit: 10 }), []);
    },
  },
  {
    title: 'names the collections that hold anything, in the order in which they came',
    async prove(store) {
      deepEqual(await store.collections(), []);
      await store.nextNumber('/numbers');
      await store.insertIfAbsent(someResource({ collection: '/b' }));
      await store.insertIfAbsent(someResource({ collection: '/a' }));
      await store.insertIfAbsent(someResource({ collection: '/c' }));
      await store.insertIfAbsent(someResource({ collection: '/b', key: '2' }));
      await store.delete('/c', '1');
      deepEqual(await store.collections(), [
        { name: '/b', count: 2 },
        { name: '/a', count: 1 },
      ]);
    },
  },
];
