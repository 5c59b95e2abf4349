import { deepEqual, equal } from 'node:assert/strict';
import type { StoreLaw } from '../store-law.ts';
import { someResource } from './some-resource.ts';

const isStored = { kind: 'stored' };
const taken = { kind: 'claim-taken', claim: 'name "a"' };

/** What a store does with the values that no two resources may share. */
export const claimLaws: readonly StoreLaw[] = [
  {
    title: 'refuses a claim that another resource of the collection holds',
    async prove(store) {
      await store.insertIfAbsent(someResource({ claims: ['name "a"'] }));
      deepEqual(await store.insertIfAbsent(someResource({ key: '2', claims: ['name "a"'] })), taken);
      equal(await store.get('/orders', '2'), undefined);
      await store.insertIfAbsent(someResource({ key: '3', claims: ['name "c"'] }));
      deepEqual(await store.replace(someResource({ key: '3', claims: ['name "a"'] })), taken);
      const elsewhere = someResource({ collection: '/others', key: '2', claims: ['name "a"'] });
      deepEqual(await store.insertIfAbsent(elsewhere), isStored);
    },
  },
  {
    title: 'changes nothing where a claim is taken: neither the resource nor its other claims',
    async prove(store) {
      await store.insertIfAbsent(someResource({ claims: ['name "a"'] }));
      await store.insertIfAbsent(someResource({ key: '2', claims: ['name "b"', 'code 2'] }));
      const replacement = someResource({ key: '2', text: '{}', claims: ['code 3', 'name "a"'] });
      deepEqual(await store.replace(replacement), taken);
      equal(await store.get('/orders', '2'), someResource().text);
      equal((await store.insertIfAbsent(someResource({ key: '3', claims: ['code 2'] }))).kind, 'claim-taken');
      deepEqual(await store.insertIfAbsent(someResource({ key: '4', claims: ['code 3'] })), isStored);
    },
  },
  {
    title: 'looks at the key before the claims',
    async prove(store) {
      await store.insertIfAbsent(someResource({ claims: ['name "a"'] }));
      await store.insertIfAbsent(someResource({ key: '2' }));
      equal((await store.insertIfAbsent(someResource({ key: '2', claims: ['name "a"'] }))).kind, 'key-taken');
    },
  },
  {
    title: 'lets a replacement keep the claims of what it replaces',
    async prove(store) {
      await store.insertIfAbsent(someResource({ claims: ['name "a"', 'code 1'] }));
      deepEqual(await store.replace(someResource({ claims: ['name "a"', 'code 2'] })), isStored);
      deepEqual(await store.insertIfAbsent(someResource({ key: '2', claims: ['name "a"'] })), taken);
    },
  },
  {
    title: 'frees the claims of a resource that is replaced',
    async prove(store) {
      await store.insertIfAbsent(someResource({ claims: ['name "a"'] }));
      deepEqual(await store.replace(someResource({ claims: ['name "b"'] })), isStored);
      deepEqual(await store.insertIfAbsent(someResource({ key: '2', claims: ['name "a"'] })), isStored);
      equal(
        (await store.insertIfAbsent(someResource({ key: '3', claims: ['name "b"'] }))).kind,
        'claim-taken',
      );
    },
  },
  {
    title: 'frees the claims of a resource that is deleted',
    async prove(store) {
      await store.insertIfAbsent(someResource({ claims: ['name "a"', 'code 1'] }));
      await store.delete('/orders', '1');
      const heir = someResource({ key: '2', claims: ['code 1', 'name "a"'] });
      deepEqual(await store.insertIfAbsent(heir), isStored);
    },
  },
  {
    title: 'gives a claim to one of many that want it at once',
    async prove(store) {
      const keys = Array.from({ length: 50 }, (_, index) => index);
      const outcomes = await Promise.all(
        keys.map(async (key) => store.insertIfAbsent(someResource({ key, claims: ['name "a"'] }))),
      );
      equal(outcomes.filter(({ kind }) => kind === 'stored').length, 1);
      equal((await store.list('/orders', { offset: 0, limit: 100 })).length, 1);
    },
  },
];
