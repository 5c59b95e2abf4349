import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, expect, test } from 'vitest';
import { someResource, storeLaws } from '../../../fixtures/store-laws.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-sqlite-'));
let files = 0;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(path: string): Promise<Store> {
  return openSqliteStore({ path, place: 'file:test.db', tell: () => undefined });
}

function freshPath(): string {
  files += 1;
  return join(folder, `${files}.db`);
}

test.each(storeLaws)('a SQLite store $title', async ({ prove }) => {
  const path = freshPath();
  const [store, second] = [await open(path), await open(path)];
  await expect(prove(store, second)).resolves.toBeUndefined();
  await Promise.all([store.close(), second.close()]);
});

test('what is in the file is there again when it is opened again', async () => {
  const path = freshPath();
  const before = await open(path);
  await before.insertIfAbsent(someResource({ key: 7, claims: ['name "a"'] }));
  await before.nextNumber('/orders');
  await before.saveSnapshot('one', await before.dump());
  await before.close();
  const after = await open(path);
  expect(await after.get('/orders', 7)).toBe(someResource().text);
  expect(await after.nextNumber('/orders')).toBe(2);
  expect(await after.insertIfAbsent(someResource({ claims: ['name "a"'] }))).toMatchObject({
    kind: 'claim-taken',
  });
  expect(await after.snapshots()).toEqual([{ name: 'one', count: 1 }]);
  await after.close();
});

/** As a file was made before collections said how many resources they hold. */
const firstTables = `
  CREATE TABLE collection (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, last_number INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE resource (
    id INTEGER PRIMARY KEY, collection TEXT NOT NULL, key TEXT NOT NULL, text TEXT NOT NULL, UNIQUE (collection, key)
  ) STRICT;
  CREATE INDEX resource_order ON resource (collection, id);
  CREATE TRIGGER resource_collection AFTER INSERT ON resource BEGIN
    INSERT INTO collection (name) VALUES (new.collection) ON CONFLICT DO NOTHING;
  END;
  CREATE TABLE claim (
    collection TEXT NOT NULL, claim TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (collection, claim)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX claim_holder ON claim (collection, key);
  CREATE TABLE snapshot (name TEXT PRIMARY KEY, count INTEGER NOT NULL, content TEXT NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA application_id = 1131179875;
  PRAGMA user_version = 1;
`;

test('a file of an earlier version is brought up to this one, with all that is in it', async () => {
  const path = freshPath();
  const earlier = new Database(path);
  earlier.exec(`${firstTables}
    INSERT INTO resource (collection, key, text) VALUES ('"/orders"', '7', '{"id":7}'), ('"/orders"', '8', '{"id":8}');
    INSERT INTO claim (collection, claim, key) VALUES ('"/orders"', '"name"', '7');
    UPDATE collection SET last_number = 8;`);
  earlier.close();
  const [left, right] = await Promise.all([open(path), open(path)]);
  expect(await left.collections()).toEqual([{ name: '/orders', count: 2 }]);
  expect(await right.nextNumber('/orders')).toBe(9);
  expect(await right.insertIfAbsent(someResource({ key: 9 }))).toEqual({ kind: 'stored' });
  expect(await left.count('/orders')).toBe(3);
  expect(await left.list('/orders', { after: 1, limit: 10 })).toEqual([
    { position: 2, key: 8, text: '{"id":8}', claims: [] },
    { position: 3, key: 9, text: someResource().text, claims: [] },
  ]);
  await left.close();
  await right.close();
});

test('two stores on one file see what the other has kept', async () => {
  const path = freshPath();
  const [left, right] = await Promise.all([open(path), open(path)]);
  await left.insertIfAbsent(someResource());
  expect(await right.insertIfAbsent(someResource({ text: '{}' }))).toMatchObject({ kind: 'key-taken' });
  await right.reset();
  expect(await left.insertIfAbsent(someResource({ text: '{}' }))).toEqual({ kind: 'stored' });
  expect([await left.nextNumber('/orders'), await right.nextNumber('/orders')]).toEqual([1, 2]);
  await left.close();
  await right.close();
});
