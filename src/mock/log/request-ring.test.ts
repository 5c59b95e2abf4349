import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createRequestRing, type RawRequest } from './ring-buffer.ts';

const context = { contract: contractOf({ paths: {} }), tokens: [] };

function requestOf(bytes: number): RawRequest {
  return {
    id: 0,
    time: 0,
    durationMs: 0,
    method: 'GET',
    target: '/',
    fields: [],
    content: new Uint8Array(bytes),
    answer: { status: 200, headers: [], body: undefined, note: {} },
    leftOut: undefined,
    context,
  };
}

test('finds each request by its id, however many have gone', () => {
  const ring = createRequestRing(100_000);
  for (let id = 1; id <= 5000; id += 1) {
    ring.add(requestOf(id % 300));
    if (id % 50 !== 0) continue;
    const kept = ring.list();
    const oldest = id - kept.length + 1;
    expect([kept[0]?.id, kept.at(-1)?.id, ring.dropped]).toEqual([oldest, id, oldest - 1]);
    expect([ring.get(oldest - 1), ring.get(oldest)?.id, ring.get(id)?.id, ring.get(id + 1)]).toEqual([
      undefined,
      oldest,
      id,
      undefined,
    ]);
  }
});

test('lets go of as many as the newest needs room for', () => {
  const ring = createRequestRing(20_000);
  for (let count = 0; count < 20; count += 1) {
    ring.add(requestOf(100));
  }
  const before = ring.list().length;
  ring.add(requestOf(18_000));
  expect(before).toBeGreaterThan(10);
  expect(ring.list().length).toBeLessThan(7);
  expect(ring.list().at(-1)).toMatchObject({ id: 21, leftOut: undefined });
});

test('says which ids it holds', () => {
  const ring = createRequestRing(20_000);
  const held = (): readonly number[] => [ring.first, ring.last];
  expect(held()).toEqual([0, 0]);
  ring.add(requestOf(100));
  ring.add(requestOf(100));
  expect(held()).toEqual([1, 2]);
  ring.clear();
  expect(held()).toEqual([0, 0]);
  ring.add(requestOf(100));
  expect(held()).toEqual([3, 3]);
  ring.add(requestOf(19_500));
  expect(held()).toEqual([4, 4]);
});
