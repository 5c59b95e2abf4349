import { expect, test } from 'vitest';
import { createMemoryStore } from './memory-store.ts';
import { storeLaws } from './store-conformance.ts';

test.each(storeLaws)('a memory store $title', async ({ prove }) => {
  const store = createMemoryStore();
  await expect(prove(store)).resolves.toBeUndefined();
  await store.close();
});
