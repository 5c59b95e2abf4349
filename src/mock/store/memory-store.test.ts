import { expect, test } from 'vitest';
import fc from 'fast-check';
import { storeLaws } from '../../../fixtures/store-laws.ts';
import { createMemoryStore } from './memory-store.ts';
import { ask, documentOf, stories, tell } from '../../../fixtures/resource-model.ts';
import { createMock } from '../create-mock.ts';

test.each(storeLaws)('a memory store $title', async ({ prove }) => {
  const store = createMemoryStore();
  await expect(prove(store, store)).resolves.toBeUndefined();
  await store.close();
});

test('a mock of any collections answers any sequence of requests as a map of maps does', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const mock = await createMock(documentOf(story));
      compared += await tell(story, ask(mock.fetch, 'http://mock'));
      await mock.close();
    }),
    { numRuns: 15 },
  );
  expect(compared).toBeGreaterThan(15);
});

test('loads no content if a client stores a resource first', async () => {
  const store = createMemoryStore();
  const resources = Array.from({ length: 25_000 }, (_, index) => ({
    key: index + 1,
    text: `{"id":${index + 1}}`,
    claims: [],
  }));
  const loading = store.loadIfEmpty({ collections: [{ name: '/orders', lastNumber: 0, resources }] });
  await store.insertIfAbsent({ collection: '/orders', key: 7, text: '{"id":7}', claims: [] });
  expect(await loading).toBe(false);
  expect(await store.collections()).toEqual([{ name: '/orders', count: 1 }]);
});
