import type { MockPlatform } from '../platform/mock-platform.ts';
import { createMemoryStore } from './memory-store.ts';
import type { OpenedStore } from './opened-store.ts';
import { parseStoreUrl } from './parse-store-url.ts';
import type { Store } from './store.ts';

/**
 * Opens the store that a mock is to keep its state in. One that was given is for its giver to close.
 *
 * @param input.store - a URL, or a store
 * @param input.title - of the contract
 * @param input.tell - is given a sentence when the store goes away, and when it is back
 * @throws ClocheError OPTION_INVALID for what is no URL of a store, STORE_UNUSABLE where it cannot be opened
 */
export async function chooseStore(input: {
  readonly store: string | Store | undefined;
  readonly title: string;
  readonly platform: Pick<MockPlatform, 'openStore'>;
  readonly tell: (sentence: string) => void;
}): Promise<OpenedStore> {
  const { store = 'memory:', title, platform, tell } = input;
  if (typeof store !== 'string') {
    const counts = await store.collections();
    const found = counts.reduce((sum, { count }) => sum + count, 0);
    return { kind: 'own', place: 'a store of its own', found, store, close: () => Promise.resolve() };
  }
  const url = parseStoreUrl(store, title);
  if (url.kind !== 'memory') {
    return platform.openStore(url, tell);
  }
  const memory = createMemoryStore();
  return { ...url, found: 0, store: memory, close: async () => memory.close() };
}
