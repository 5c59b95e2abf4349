import { test } from 'vitest';
import { createMemoryStore } from './memory-store.ts';
import { storeLaws } from './store-conformance.ts';

test.each(storeLaws)('a memory store $title', async ({ prove }) => {
  const store = createMemoryStore();
  await prove(store);
  await store.close();
});
