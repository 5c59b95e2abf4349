import { deepEqual, equal } from 'node:assert/strict';
import type { StoreContent } from '../store-content.ts';
import type { StoreLaw } from '../store-law.ts';
import { someResource } from './some-resource.ts';

/** What the numbers 1 to 3 and two resources come to; written down, so that the laws do not believe dump(). */
const content: StoreContent = {
  collections: [
    {
      name: '/orders',
      lastNumber: 3,
      resources: [
        { key: 7, text: '{"id":7}', claims: ['code 7', 'name "a"'] },
        { key: '1', text: '{"id":"1"}', claims: [] },
      ],
    },
    { name: '/numbers', lastNumber: 1, resources: [] },
    { name: '/others', lastNumber: 0, resources: [{ key: 1, text: '{}', claims: [] }] },
  ],
};

/** Claims have no order. */
function sortClaims({ collections }: StoreContent): StoreContent {
  return {
    collections: collections.map((collection) => ({
      ...collection,
      resources: collection.resources.map((each) => ({ ...each, claims: each.claims.toSorted() })),
    })),
  };
}

/** What a store does with all that it holds. */
export const contentLaws: readonly StoreLaw[] = [
  {
    title: 'dumps everything that it keeps',
    async prove(store) {
      deepEqual(await store.dump(), { collections: [] });
      for (const { name, lastNumber, resources } of content.collections) {
        for (let number = 1; number <= lastNumber; number += 1) {
          equal(await store.nextNumber(name), number);
        }
        for (const resource of resources) {
          await store.insertIfAbsent({ collection: name, ...resource });
        }
      }
      deepEqual(sortClaims(await store.dump()), content);
    },
  },
  {
    title: 'puts a content in place of all that it keeps',
    async prove(store) {
      await store.insertIfAbsent(someResource({ key: 8, claims: ['name "a"'] }));
      await store.insertIfAbsent(someResource({ collection: '/gone' }));
      await store.nextNumber('/others');
      await store.load(content);
      deepEqual(sortClaims(await store.dump()), content);
      equal(await store.get('/orders', 8), undefined);
      equal(await store.nextNumber('/orders'), 4);
      equal(await store.nextNumber('/others'), 1);
      const claims = await store.insertIfAbsent(someResource({ key: 9, claims: ['name "a"'] }));
      deepEqual(claims, { kind: 'claim-taken', claim: 'name "a"' });
      await store.load({ collections: [] });
      deepEqual(await store.dump(), { collections: [] });
    },
  },
  {
    title: 'takes a content where it holds nothing, and only there',
    async prove(store) {
      await store.nextNumber('/others');
      equal(await store.loadIfEmpty(content), true);
      deepEqual(sortClaims(await store.dump()), content);
      equal(await store.loadIfEmpty({ collections: [] }), false);
      deepEqual(sortClaims(await store.dump()), content);
      await store.reset();
      await store.insertIfAbsent(someResource());
      equal(await store.loadIfEmpty(content), false);
      deepEqual(await store.collections(), [{ name: someResource().collection, count: 1 }]);
    },
  },
  {
    title: 'takes back what it dumped, thousands of resources too',
    async prove(store) {
      const many: StoreContent = {
        collections: [
          {
            name: '/orders',
            lastNumber: 0,
            resources: Array.from({ length: 9000 }, (_, key) => ({ key, text: `{"id":${key}}`, claims: [] })),
          },
        ],
      };
      await store.load(many);
      const dumped = await store.dump();
      deepEqual(dumped, many);
      await store.load(dumped);
      deepEqual(await store.collections(), [{ name: '/orders', count: 9000 }]);
      equal((await store.list('/orders', { offset: 0, limit: 10_000 })).length, 9000);
    },
  },
  {
    title: 'forgets everything on reset',
    async prove(store) {
      await store.insertIfAbsent(someResource({ claims: ['name "a"'] }));
      await store.nextNumber('/orders');
      await store.reset();
      equal(await store.get('/orders', '1'), undefined);
      equal(await store.nextNumber('/orders'), 1);
      deepEqual(await store.insertIfAbsent(someResource({ key: '2', claims: ['name "a"'] })), {
        kind: 'stored',
      });
      await store.reset();
      deepEqual(await store.dump(), { collections: [] });
      deepEqual(await store.collections(), []);
    },
  },
  {
    title: 'keeps snapshots under names, which outlive a reset and a load',
    async prove(store) {
      await store.saveSnapshot('full', content);
      await store.saveSnapshot('empty', { collections: [] });
      await store.reset();
      await store.load({ collections: [] });
      deepEqual(await store.readSnapshot('full'), content);
      deepEqual(await store.readSnapshot('none'), undefined);
      deepEqual(await store.snapshots(), [
        { name: 'empty', count: 0 },
        { name: 'full', count: 3 },
      ]);
      await store.saveSnapshot('full', { collections: [] });
      deepEqual(await store.readSnapshot('full'), { collections: [] });
      equal(await store.deleteSnapshot('full'), true);
      equal(await store.deleteSnapshot('full'), false);
      deepEqual(await store.snapshots(), [{ name: 'empty', count: 0 }]);
    },
  },
  {
    title: 'changes a snapshot only where it is what was read',
    async prove(store) {
      const none: StoreContent = { collections: [] };
      equal(await store.swapSnapshot({ name: 'one', was: none, is: content }), false);
      equal(await store.readSnapshot('one'), undefined);
      equal(await store.swapSnapshot({ name: 'one', was: undefined, is: content }), true);
      equal(await store.swapSnapshot({ name: 'one', was: undefined, is: none }), false);
      deepEqual(await store.snapshots(), [{ name: 'one', count: 3 }]);
      const read = await store.readSnapshot('one');
      equal(await store.swapSnapshot({ name: 'one', was: none, is: undefined }), false);
      equal(await store.swapSnapshot({ name: 'one', was: read, is: none }), true);
      deepEqual(await store.readSnapshot('one'), none);
      equal(await store.swapSnapshot({ name: 'one', was: read, is: undefined }), false);
      equal(await store.swapSnapshot({ name: 'one', was: none, is: undefined }), true);
      deepEqual(await store.snapshots(), []);
    },
  },
  {
    title: 'goes on counting behind a number that it is told to pass, and never back',
    async prove(store) {
      await store.passNumber('/orders', 41);
      equal(await store.nextNumber('/orders'), 42);
      await store.passNumber('/orders', 9);
      equal(await store.nextNumber('/orders'), 43);
      await store.passNumber('/orders', 100);
      equal(await store.nextNumber('/orders'), 101);
      deepEqual(await store.collections(), []);
    },
  },
  {
    title: 'holds a snapshot that later changes do not reach',
    async prove(store) {
      await store.load(content);
      await store.saveSnapshot('before', await store.dump());
      await store.replace(someResource({ key: 7, text: '{"id":"changed"}' }));
      await store.delete('/others', 1);
      const before = await store.readSnapshot('before');
      deepEqual(before === undefined ? undefined : sortClaims(before), content);
    },
  },
];
