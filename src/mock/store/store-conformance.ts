import { deepEqual, equal } from 'node:assert/strict';
import { ExactNumber } from '../../json/exact-number.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
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

function resource(changes: Partial<StoredResource> = {}): StoredResource {
  return { collection: '/orders', key: '1', value: { id: 1, note: 'first' }, claims: [], ...changes };
}

const strangeKeys = [1, '1', -1, Number.MAX_SAFE_INTEGER, '__proto__', 'constructor', '', 'a/b', '\u{1F331}'];
const isStored = { kind: 'stored' };

/** What every kind of store must do. The tests of a kind prove each on a fresh store. */
export const storeLaws: readonly StoreLaw[] = [
  {
    title: 'keeps a resource under its key',
    async prove(store) {
      deepEqual(await store.insertIfAbsent(resource()), isStored);
      deepEqual(await store.get('/orders', '1'), { id: 1, note: 'first' });
      equal(await store.get('/orders', '2'), undefined);
    },
  },
  {
    title: 'leaves the first resource in place when its key comes again, and gives it back',
    async prove(store) {
      await store.insertIfAbsent(resource());
      const outcome = await store.insertIfAbsent(resource({ value: { id: 1, note: 'second' } }));
      deepEqual(outcome, { kind: 'key-taken', value: { id: 1, note: 'first' } });
      deepEqual(await store.get('/orders', '1'), { id: 1, note: 'first' });
    },
  },
  {
    title: 'stores one of many that are inserted at once under one key',
    async prove(store) {
      const values = Array.from({ length: 50 }, (_, index) => ({ index }));
      const outcomes = await Promise.all(
        values.map(async (value) => store.insertIfAbsent(resource({ value }))),
      );
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
    title: 'gives numbers and properties back to the last digit',
    async prove(store) {
      const value: JsonObject = {
        id: new ExactNumber('9007199254740993'),
        ['__proto__']: 'own',
        list: [1, null],
      };
      await store.insertIfAbsent(resource({ value }));
      const found = (await store.get('/orders', '1')) ?? null;
      equal(stringifyJson(found), '{"id":9007199254740993,"__proto__":"own","list":[1,null]}');
    },
  },
  {
    title: 'replaces a resource, or keeps it as the first',
    async prove(store) {
      deepEqual(await store.replace(resource()), isStored);
      deepEqual(await store.replace(resource({ value: { id: 1, note: 'second' } })), isStored);
      deepEqual(await store.get('/orders', '1'), { id: 1, note: 'second' });
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
