import { deepEqual, equal } from 'node:assert/strict';
import type { StoreLaw } from '../store-law.ts';
import { someResource } from './some-resource.ts';

const first = someResource().text;
const second = '{"id":1,"note":"second"}';
const isStored = { kind: 'stored' };

const strangeTexts = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '',
  ' ',
  'a/b',
  'a:b',
  'a\nb\0c',
  '\0',
  '"quoted"',
  '%_*?[x]',
  "'; DROP TABLE resource; --",
  '\u{1F331}',
  '\uD800',
  '\uDC00 and more',
  'x'.repeat(3000),
];
const strangeKeys = [1, '1', -1, 0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, ...strangeTexts];

/** What a store does with single resources. */
export const keepingLaws: readonly StoreLaw[] = [
  {
    title: 'keeps a resource under its key',
    async prove(store) {
      deepEqual(await store.insertIfAbsent(someResource()), isStored);
      deepEqual(await store.get('/orders', '1'), first);
      equal(await store.get('/orders', '2'), undefined);
    },
  },
  {
    title: 'leaves the first resource in place when its key comes again, and gives it back',
    async prove(store) {
      await store.insertIfAbsent(someResource());
      const outcome = await store.insertIfAbsent(someResource({ text: second }));
      deepEqual(outcome, { kind: 'key-taken', text: first });
      deepEqual(await store.get('/orders', '1'), first);
    },
  },
  {
    title: 'stores one of many that are inserted at once under one key',
    async prove(store) {
      const texts = Array.from({ length: 50 }, (_, index) => `{"id":${index}}`);
      const outcomes = await Promise.all(
        texts.map(async (text) => store.insertIfAbsent(someResource({ text }))),
      );
      equal(outcomes.filter(({ kind }) => kind === 'stored').length, 1);
      const kept = texts[outcomes.findIndex(({ kind }) => kind === 'stored')];
      equal(await store.get('/orders', '1'), kept);
    },
  },
  {
    title: 'keeps collections apart',
    async prove(store) {
      await store.insertIfAbsent(someResource());
      deepEqual(await store.insertIfAbsent(someResource({ collection: '/shops/1/orders' })), isStored);
    },
  },
  ...strangeKeys.map((key): StoreLaw => ({
    title: `takes ${JSON.stringify(key).slice(0, 40)} for a key like any other`,
    async prove(store) {
      equal(await store.get('/orders', key), undefined);
      deepEqual(await store.insertIfAbsent(someResource({ key })), isStored);
      equal((await store.insertIfAbsent(someResource({ key }))).kind, 'key-taken');
      const [listed] = await store.list('/orders', { offset: 0, limit: 10 });
      equal(listed?.key, key);
      equal(await store.delete('/orders', key), true);
      equal(await store.get('/orders', key), undefined);
    },
  })),
  {
    title: 'takes any text for the name of a collection, of a snapshot or for a claim',
    async prove(store) {
      for (const name of strangeTexts) {
        const claimed = someResource({ collection: name, claims: [name] });
        deepEqual(await store.insertIfAbsent(claimed), isStored);
        deepEqual(await store.insertIfAbsent({ ...claimed, key: '2' }), { kind: 'claim-taken', claim: name });
        equal(await store.nextNumber(name), 1);
        await store.saveSnapshot(name, { collections: [] });
      }
      deepEqual(
        (await store.collections()).map(({ name }) => name),
        strangeTexts,
      );
      const content = await store.dump();
      deepEqual(
        content.collections.map(({ resources }) => resources[0]?.claims[0]),
        strangeTexts,
      );
      deepEqual(
        (await store.snapshots()).map(({ name }) => name),
        strangeTexts.toSorted(),
      );
    },
  },
  {
    title: 'keeps a number and the text of it apart',
    async prove(store) {
      await store.insertIfAbsent(someResource({ key: 1 }));
      deepEqual(await store.insertIfAbsent(someResource({ key: '1' })), isStored);
      equal(await store.delete('/orders', 1), true);
      equal(await store.get('/orders', '1'), first);
    },
  },
  {
    title: 'gives a text back as it was, to the last character',
    async prove(store) {
      const text = String.raw`{ "id": 9007199254740993, "__proto__": "\ud800", "zero": "\u0000", "list": [1.0, "\u{1F331}"] }`;
      await store.insertIfAbsent(someResource({ text: `${text}\u{1F331}` }));
      equal(await store.get('/orders', '1'), `${text}\u{1F331}`);
    },
  },
  {
    title: 'keeps a text of megabytes',
    async prove(store) {
      const text = JSON.stringify({ note: 'Ünïcödé \u{1F331}'.repeat(200_000) });
      await store.insertIfAbsent(someResource({ text }));
      equal((await store.get('/orders', '1')) === text, true);
      deepEqual((await store.insertIfAbsent(someResource())).kind, 'key-taken');
    },
  },
  {
    title: 'replaces a resource, or keeps it as the first',
    async prove(store) {
      deepEqual(await store.replace(someResource()), isStored);
      deepEqual(await store.replace(someResource({ text: second })), isStored);
      deepEqual(await store.get('/orders', '1'), second);
    },
  },
  {
    title: 'forgets a resource that is deleted, and says whether there was one',
    async prove(store) {
      equal(await store.delete('/orders', '1'), false);
      await store.insertIfAbsent(someResource());
      await store.insertIfAbsent(someResource({ key: '2' }));
      equal(await store.delete('/orders', '1'), true);
      equal(await store.delete('/orders', '1'), false);
      equal(await store.get('/orders', '1'), undefined);
      equal(await store.get('/orders', '2'), first);
      deepEqual(await store.insertIfAbsent(someResource({ text: second })), isStored);
    },
  },
];
