import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { openMock } from '../../../fixtures/mock-client.ts';
import { shopPaths } from '../../../fixtures/shops.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import type { Store, StoreContent, StoreKey } from '../store/store.ts';

const shops = contractOf({ paths: shopPaths });

/** A store with an order of a shop. Another client deletes the shop right after the shop, or the whole store, is read. */
async function openStore(): Promise<{ readonly store: Store; readonly raced: Store }> {
  const store = createMemoryStore();
  await store.insertIfAbsent({ collection: '/shops', key: '"a"', text: '{"id":"a"}', claims: [] });
  await store.insertIfAbsent({ collection: '/shops/a/orders', key: '"b"', text: '{"id":"b"}', claims: [] });
  const tree = { collection: '/shops', key: '"a"', path: '/shops/a', below: 'delete' } as const;
  async function get(collection: string, key: StoreKey): Promise<string | undefined> {
    const text = await store.get(collection, key);
    if (collection === '/shops') await store.deleteTree(tree);
    return text;
  }
  async function dump(): Promise<StoreContent> {
    const content = await store.dump();
    await store.deleteTree(tree);
    return content;
  }
  return { store, raced: { ...store, get, dump } };
}

test.each([
  ['POST /shops/a/orders', { id: 'c' }],
  ['POST /shops/a/orders', { id: 'b' }],
  ['PUT /shops/a/orders/c', { id: 'c' }],
  ['PUT /shops/a/orders/b', { id: 'b' }],
])('returns 404 for %s when the shop is deleted meanwhile, and stores nothing', async (line, body) => {
  const { store, raced } = await openStore();
  const policy = { 'unknown-key-replaced': 'create', 'duplicate-key': 'replace' } as const;
  const { send } = await openMock(shops, { store: raced, policy });
  expect((await send(line, body)).status).toBe(404);
  expect(await store.collections()).toEqual([]);
});

test('imports no row whose parent is deleted meanwhile, and names the row', async () => {
  const { store, raced } = await openStore();
  const { mock } = await openMock(shops, { store: raced });
  await expect(mock.state.import({ '/shops/a/orders': [{ id: 'c' }] }, 'merge')).rejects.toThrow(
    '/shops/a/orders, row 1: there is no a in /shops that it could belong to',
  );
  expect(await store.collections()).toEqual([]);
});
