import { expect, test } from 'vitest';
import { storeLaws } from '../../../fixtures/store-laws.ts';
import { createMemoryStore } from './memory-store.ts';

test.each(storeLaws)('a memory store $title', async ({ prove }) => {
  const store = createMemoryStore();
  await expect(prove(store, store)).resolves.toBeUndefined();
  await store.close();
});
