import { ClocheError } from '../../errors/cloche-error.ts';
import type { OpenedStore } from './opened-store.ts';
import { openRedisStore } from './redis/open-redis-store.ts';
import { openSqliteStore } from './sqlite/open-sqlite-store.ts';
import type { OuterStoreUrl } from './parse-store-url.ts';
import type { Store } from './store.ts';
import { StoreUnavailable } from './store-unavailable.ts';

function openAt(url: OuterStoreUrl, tell: (sentence: string) => void): Promise<Store> {
  switch (url.kind) {
    case 'file':
      return openSqliteStore({ ...url, tell });
    case 'redis':
      return openRedisStore({ ...url, tell });
  }
}

/**
 * Opens a store that outlives the mock. The package that reaches it is loaded now.
 *
 * @param tell - is given a sentence when the store goes away, and when it is back
 * @throws ClocheError STORE_UNUSABLE where its package is not installed or it cannot be used
 */
export async function openStore(url: OuterStoreUrl, tell: (sentence: string) => void): Promise<OpenedStore> {
  const { kind, place } = url;
  let isOpen = false;
  const store = await openAt(url, (sentence) => (isOpen ? tell(sentence) : undefined));
  try {
    const counts = await store.collections();
    const found = counts.reduce((sum, { count }) => sum + count, 0);
    isOpen = true;
    return { kind, place, found, store, close: async () => store.close() };
  } catch (error) {
    await store.close();
    throw error instanceof StoreUnavailable
      ? new ClocheError('STORE_UNUSABLE', {
          attempt: 'read the store',
          subject: place,
          reason: error.complaint,
          remedy: 'Mend it, or name another one',
          cause: error,
        })
      : error;
  }
}
