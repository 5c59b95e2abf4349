import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { createPolicy, type Policy } from '../policy/policy.ts';
import type { MockResponse } from './message.ts';
import { prepareBasis } from './basis.ts';
import { createResponder, type Responder } from './responder.ts';
import { createMemoryStore } from './store/memory-store.ts';
import type { Store } from './store/store.ts';

const plantStore = fileURLToPath(new URL('../../spec/plant-store.yaml', import.meta.url));
const contract = await loadContract(plantStore, { followReferences: false });

/** A store that answers as one that waits for another process does. */
function makeLate(store: Store): Store {
  return {
    ...store,
    insertIfAbsent: async (resource) => store.insertIfAbsent(resource),
    replace: async (resource) => store.replace(resource),
    get: async (collection, key) => store.get(collection, key),
    nextNumber: async (collection) => store.nextNumber(collection),
    reset: async () => store.reset(),
    close: async () => store.close(),
  };
}

function open(store: Store, answers: Partial<Policy> = {}): Responder {
  const policy = createPolicy(answers);
  const settings = { contentLimit: 1000, tokens: 'any', samples: new Map(), clock: Date.now } as const;
  return createResponder(prepareBasis(contract, { policy, store, ...settings }));
}

function post(responder: Responder, body: string): MockResponse | Promise<MockResponse> {
  const headers: Record<string, string> = { authorization: 'Bearer t', 'content-type': 'application/json' };
  const admission = responder.admit({
    method: 'POST',
    target: '/plants',
    header: (name) => headers[name],
    fields: () => [],
  });
  return admission.kind === 'answered'
    ? admission.answer
    : responder.respond(admission, new TextEncoder().encode(body));
}

test('answers at once where the store does', () => {
  const responder = open(createMemoryStore());
  expect(post(responder, '{"id":1,"name":"a"}')).toMatchObject({ status: 200, body: '{"name":"a"}' });
});

test('answers other requests while it works on a large body', async () => {
  const responder = open(createMemoryStore());
  const order: string[] = [];
  const large = Promise.resolve(post(responder, `{"id":1,"name":"a"${' '.repeat(70_000)}}`)).then(
    (answer) => {
      order.push('large');
      return answer;
    },
  );
  await Promise.resolve(post(responder, '{"id":2,"name":"b"}')).then(() => order.push('small'));
  await expect(large).resolves.toMatchObject({ status: 200, body: '{"name":"a"}' });
  expect(order).toEqual(['small', 'large']);
});

test.each([
  ['refuse', 400],
  ['replace', 200],
  ['keep-first', 200],
  ['accept', 200],
] as const)('waits for a store that takes its time, with duplicate-key: %s', async (answer, status) => {
  const responder = open(makeLate(createMemoryStore()), { 'duplicate-key': answer });
  const both = [post(responder, '{"id":1,"name":"a"}'), post(responder, '{"id":1,"name":"b"}')];
  expect(both.every((each) => each instanceof Promise)).toBe(true);
  expect([await both[0], await both[1]]).toMatchObject([{ status: 200 }, { status }]);
});

test('decides by the head alone what needs no content', () => {
  const responder = open(createMemoryStore());
  const admit = (method: string, target: string): unknown =>
    responder.admit({ method, target, header: () => undefined, fields: () => [] });
  expect(admit('POST', '/plants')).toMatchObject({ kind: 'answered', answer: { status: 401 } });
  expect(admit('GET', '/plants')).toMatchObject({ kind: 'answered', answer: { status: 405 } });
  expect(admit('GET', 'http://localhost/other')).toMatchObject({ kind: 'answered', answer: { status: 404 } });
});
