import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  const store = await open(freshPath());
  await expect(prove(store)).resolves.toBeUndefined();
  await store.close();
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
