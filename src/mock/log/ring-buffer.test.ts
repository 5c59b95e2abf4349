import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { KeptRequest, mostShelved, type RawRequest, RequestArena, RequestRing } from './ring-buffer.ts';

const context = { contract: contractOf({ paths: {} }), tokens: [] };

function requestOf(index: number, bytes: number): RawRequest {
  return {
    id: index,
    // A clock may be set back, and far.
    time: index % 3 === 0 ? -8.64e15 : 1_795_280_000_000 + index,
    durationMs: index / 8,
    method: 'POST',
    target: `/things?page=${index >> 1}`,
    fields: index % 5 === 0 ? [] : ['Host', 'example.org', 'X-Page', `${index >> 2}`, 'X-Empty', ''],
    content: bytes === 0 ? undefined : new Uint8Array(bytes).fill(index),
    answer: {
      status: 200,
      headers: ['Allow', 'GET'],
      body: `answer ${index}`,
      note: { operation: 'create' },
    },
    leftOut: undefined,
    context,
  };
}

/** A request with what the getters of a kept one give. */
function show(request: RawRequest): Omit<RawRequest, 'context'> {
  const { id, time, durationMs, method, target, fields, content, answer, leftOut } = request;
  return { id, time, durationMs, method, target, fields, content, answer, leftOut };
}

test('gives each request back as it was, whatever came before and after it', () => {
  const arena = new RequestArena(1_795_280_000_000);
  const sizes = [0, 1, 60, mostShelved, mostShelved + 1, 3000];
  const requests = Array.from({ length: 24 }, (_, index) =>
    requestOf(index, sizes[index % sizes.length] ?? 0),
  );
  const kept = requests.map((request) => new KeptRequest(request, arena));
  expect(kept.map(show)).toEqual(requests.map(show));
});

test('keeps a content as it was read, though its bytes change later', () => {
  const content = Uint8Array.of(1, 2, 3);
  const kept = new KeptRequest({ ...requestOf(1, 0), content }, new RequestArena(0));
  content.fill(9);
  expect(kept.content).toEqual(Uint8Array.of(1, 2, 3));
});

test('keeps what was not read apart from what was not there', () => {
  const arena = new RequestArena(0);
  const contents = [undefined, 'not-read', 'too-large', new Uint8Array()] as const;
  const kept = contents.map((content) => new KeptRequest({ ...requestOf(1, 0), content }, arena));
  expect(kept.map(({ content }) => content)).toEqual(contents);
});

function loggedRequest(bytes: number): RawRequest {
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
  const ring = new RequestRing(100_000);
  for (let id = 1; id <= 5000; id += 1) {
    ring.add(loggedRequest(id % 300));
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
  const ring = new RequestRing(20_000);
  for (let count = 0; count < 20; count += 1) {
    ring.add(loggedRequest(100));
  }
  const before = ring.list().length;
  ring.add(loggedRequest(18_000));
  expect(before).toBeGreaterThan(10);
  expect(ring.list().length).toBeLessThan(7);
  expect(ring.list().at(-1)).toMatchObject({ id: 21, leftOut: undefined });
});

test('says which ids it holds', () => {
  const ring = new RequestRing(20_000);
  const held = (): readonly number[] => [ring.first, ring.last];
  expect(held()).toEqual([0, 0]);
  ring.add(loggedRequest(100));
  ring.add(loggedRequest(100));
  expect(held()).toEqual([1, 2]);
  ring.clear();
  expect(held()).toEqual([0, 0]);
  ring.add(loggedRequest(100));
  expect(held()).toEqual([3, 3]);
  ring.add(loggedRequest(19_500));
  expect(held()).toEqual([4, 4]);
});
