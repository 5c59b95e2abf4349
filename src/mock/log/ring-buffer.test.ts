import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { KeptRequest, mostShelved, type RawRequest, RequestArena } from './ring-buffer.ts';

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
