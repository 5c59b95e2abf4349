import { deepEqual, equal } from 'node:assert/strict';
import type { Store, StoredResource } from './store.ts';

/** One thing that every kind of store must do. */
export interface StoreLaw {
  /** What it does, as a sentence without a subject. */
  readonly title: string;
  /**
   * Proves it on a store.
   *
   * @param store - empty
   * @throws AssertionError where the store does otherwise
   */
  readonly prove: (store: Store) => Promise<void>;
}

const first = '{"id":1,"note":"first"}';
const second = '{"id":1,"note":"second"}';

function resource(changes: Partial<StoredResource> = {}): StoredResource {
  return { collection: '/orders', key: '1', text: first, claims: [], ...changes };
}

const strangeKeys = [1, '1', -1, Number.MAX_SAFE_INTEGER, '__proto__', 'constructor', '', 'a/b', '\u{1F331}'];
const isStored = { kind: 'stored' };

/** What every kind of store must do. The tests of a kind prove each on a fresh store. */
export const storeLaws: readonly StoreLaw[] = [
  {
    title: 'keeps a resource under its key',
    async prove(store) {
      deepEqual(await store.insertIfAbsent(resource()), isStored);
      deepEqual(await store.get('/orders', '1'), first);
      equal(await store.get('/orders', '2'), undefined);
    },
  },
  {
    title: 'leaves the first resource in place when its key comes again, and gives it back',
    async prove(store) {
      await store.insertIfAbsent(resource());
      const outcome = await store.insertIfAbsent(resource({ text: second }));
      deepEqual(outcome, { kind: 'key-taken', text: first });
      deepEqual(await store.get('/orders', '1'), first);
    },
  },
  {
    title: 'stores one of many that are inserted at once under one key',
    async prove(store) {
      const texts = Array.from({ length: 50 }, (_, index) => `{"id":${index}}`);
      const outcomes = await Promise.all(texts.map(async (text) => store.insertIfAbsent(resource({ text }))));
      equal(outcomes.filter(({ kind }) => kind === 'stored').length, 1);
    },
  },
  {
    title: 'keeps collections apart',
    async prove(store) {
      await store.insertIfAbsent(resource());
      deepEqual(await store.insertIfAbsent(resource({ collection: '/shops/1/orders' })), isStored);
    },
  },
  ...strangeKeys.map((key): StoreLaw => ({
    title: `takes ${JSON.stringify(key)} for a key like any other`,
    async prove(store) {
      equal(await store.get('/orders', key), undefined);
      deepEqual(await store.insertIfAbsent(resource({ key })), isStored);
      equal((await store.insertIfAbsent(resource({ key }))).kind, 'key-taken');
    },
  })),
  {
    title: 'keeps a number and the text of it apart',
    async prove(store) {
      await store.insertIfAbsent(resource({ key: 1 }));
      deepEqual(await store.insertIfAbsent(resource({ key: '1' })), isStored);
    },
  },
  {
    title: 'gives a text back as it was, to the last character',
    async prove(store) {
      const text = String.raw`{ "id": 9007199254740993, "__proto__": "\ud800", "zero": "\u0000", "list": [1.0, "\u{1F331}"] }`;
      await store.insertIfAbsent(resource({ text: `${text}\u{1F331}` }));
      equal(await store.get('/orders', '1'), `${text}\u{1F331}`);
    },
  },
  {
    title: 'replaces a resource, or keeps it as the first',
    async prove(store) {
      deepEqual(await store.replace(resource()), isStored);
      deepEqual(await store.replace(resource({ text: second })), isStored);
      deepEqual(await store.get('/orders', '1'), second);
    },
  },
  {
    title: 'refuses a claim that another resource of the collection holds',
    async prove(store) {
      const taken = { kind: 'claim-taken', claim: 'name "a"' };
      await store.insertIfAbsent(resource({ claims: ['name "a"'] }));
      deepEqual(await store.insertIfAbsent(resource({ key: '2', claims: ['name "a"'] })), taken);
      equal(await store.get('/orders', '2'), undefined);
      await store.insertIfAbsent(resource({ key: '3', claims: ['name "c"'] }));
      deepEqual(await store.replace(resource({ key: '3', claims: ['name "a"'] })), taken);
      const elsewhere = resource({ collection: '/others', key: '2', claims: ['name "a"'] });
      deepEqual(await store.insertIfAbsent(elsewhere), isStored);
    },
  },
  {
    title: 'frees the claims of a resource that is replaced',
    async prove(store) {
      await store.insertIfAbsent(resource({ claims: ['name "a"'] }));
      deepEqual(await store.replace(resource({ claims: ['name "b"'] })), isStored);
      deepEqual(await store.insertIfAbsent(resource({ key: '2', claims: ['name "a"'] })), isStored);
      equal((await store.insertIfAbsent(resource({ key: '3', claims: ['name "b"'] }))).kind, 'claim-taken');
    },
  },
  {
    title: 'counts from 1 in each collection',
    async prove(store) {
      deepEqual([await store.nextNumber('/orders'), await store.nextNumber('/orders')], [1, 2]);
      equal(await store.nextNumber('/others'), 1);
    },
  },
  {
    title: 'forgets everything on reset',
    async prove(store) {
      await store.insertIfAbsent(resource({ claims: ['name "a"'] }));
      await store.nextNumber('/orders');
      await store.reset();
      equal(await store.get('/orders', '1'), undefined);
      equal(await store.nextNumber('/orders'), 1);
      deepEqual(await store.insertIfAbsent(resource({ key: '2', claims: ['name "a"'] })), isStored);
    },
  },
];
