import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ordersWith } from '../../fixtures/orders-with.ts';
import { createMockClient } from '../../fixtures/mock-client.ts';
import { createMock } from './create-mock.ts';
import type { Mock } from './mock.ts';
import { createMemoryStore } from './store/memory-store.ts';
import type { Store } from './store/store.ts';

const orders = ordersWith('id');
const named = ordersWith('id', 'name');

async function post(mock: Mock, body: object): Promise<number> {
  return (await createMockClient(mock).post('/orders', body)).status;
}

test('answers by another contract, and keeps what fits it', async () => {
  const mock = await createMock(orders);
  await post(mock, { id: 1, name: 'a' });
  await post(mock, { id: 2 });
  const { kept, setAside } = await mock.change({ contract: named });
  expect([kept, setAside.map(({ key }) => key)]).toEqual([1, ['2']]);
  expect([await post(mock, { id: 3 }), await post(mock, { id: 1, name: 'b' })]).toEqual([400, 400]);
  expect((await mock.change({ contract: orders })).broughtBack).toBe(1);
  expect(await post(mock, { id: 2 })).toBe(400);
});

test('forgets at a reset what was set aside, so that it does not come back into a known state', async () => {
  const mock = await createMock(orders);
  await post(mock, { id: 2 });
  await mock.change({ contract: named });
  await mock.reset();
  expect((await mock.change({ contract: orders })).broughtBack).toBe(0);
  expect(await mock.state.export()).toEqual({});
});

test('comes back at a reset to the answers of the start, and to those that were made the start', async () => {
  const mock = await createMock(orders, { policy: { 'duplicate-key': 'conflict' } });
  await mock.change({ policy: { 'duplicate-key': 'replace' } });
  await mock.reset();
  expect(mock.policy['duplicate-key']).toBe('conflict');
  await mock.change({ policy: { 'duplicate-key': 'keep-first' }, isStart: true });
  await mock.change({ policy: {} });
  await mock.reset();
  expect(mock.policy['duplicate-key']).toBe('keep-first');
});

test('makes one change after the other, whichever is ready first, and goes on after one that fails', async () => {
  const mock = await createMock(orders);
  await post(mock, { id: 1 });
  const [there, failed, back] = await Promise.allSettled([
    mock.change({ contract: named }),
    mock.change({ data: { '/nowhere': [{ id: 1 }] } }),
    mock.change({ contract: orders }),
  ]);
  expect([there, failed.status, back]).toMatchObject([
    { value: { setAside: [{ key: '1' }] } },
    'rejected',
    { value: { broughtBack: 1 } },
  ]);
  expect(await post(mock, { id: 1 })).toBe(400);
});

test('leaves everything as it was where a policy cannot be used', async () => {
  const mock = await createMock(orders);
  await post(mock, { id: 1 });
  const policy = { operations: { nowhere: { echo: 'none' } } } as const;
  await expect(mock.change({ contract: named, policy })).rejects.toThrow('nowhere');
  expect([mock.contract, await post(mock, { id: 2 })]).toEqual([orders, 200]);
});

test('goes on as it was where the store fails on the way, and makes up for it with the next change', async () => {
  const kept = createMemoryStore();
  let isAway = false;
  const store: Store = {
    ...kept,
    delete(collection, key) {
      if (isAway) throw new Error('gone');
      return kept.delete(collection, key);
    },
  };
  const mock = await createMock(orders, { store });
  await post(mock, { id: 1 });
  isAway = true;
  await expect(mock.change({ contract: named, isStart: true })).rejects.toThrow('gone');
  expect([mock.contract, await post(mock, { id: 2 })]).toEqual([orders, 200]);
  isAway = false;
  expect((await mock.change({ contract: named })).setAside.map(({ key }) => key)).toEqual(['1', '2']);
  expect((await mock.change({ contract: orders })).broughtBack).toBe(2);
});

test('a reset waits for a change that is on its way, which would bring back what it saw before', async () => {
  const mock = await createMock(orders);
  await post(mock, { id: 1 });
  await Promise.all([mock.change({ contract: named }), mock.reset()]);
  expect(await mock.state.export()).toEqual({});
  expect(await mock.state.snapshots()).toEqual([]);
});

test('brings back at a start what was set aside by a mock before it', async () => {
  const { place, close } = await keptElsewhere();
  const before = await createMock(orders, { store: place });
  await post(before, { id: 1 });
  await before.change({ contract: named });
  await before.close();
  const still = await createMock(named, { store: place });
  expect(await still.state.export()).toEqual({});
  await still.close();
  const after = await createMock(orders, { store: place });
  expect(await after.state.export()).toEqual({ '/orders': [{ id: 1 }] });
  await after.close();
  await close();
});

/** A file for a store. */
async function keptElsewhere(): Promise<{ readonly place: string; readonly close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'cloche-change-'));
  return { place: `file:${join(folder, 'state.db')}`, close: () => rm(folder, { recursive: true }) };
}
