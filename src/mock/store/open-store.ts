import { ClocheError } from '../../errors/cloche-error.ts';
import type { OuterStoreUrl } from './driver.ts';
import { openRedisStore } from './redis-store.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { type OpenedStore, StoreUnavailable, sumCounts } from './store.ts';

/**
 * Opens a store that outlives the mock, and loads its package.
 *
 * @param tell - receives a sentence when the store becomes unavailable, and when it is available again
 * @throws ClocheError STORE_UNUSABLE if its package is not installed or it cannot be used
 */
export async function openStore(url: OuterStoreUrl, tell: (sentence: string) => void): Promise<OpenedStore> {
  const { kind, place } = url;
  let isOpen = false;
  const tellLater = (sentence: string): void => (isOpen ? tell(sentence) : undefined);
  const store = await (url.kind === 'file'
    ? openSqliteStore({ ...url, tell: tellLater })
    : openRedisStore({ ...url, tell: tellLater }));
  try {
    const found = sumCounts(await store.collections());
    isOpen = true;
    return { kind, place, found, store, close: async () => store.close() };
  } catch (error) {
    await store.close();
    throw error instanceof StoreUnavailable
      ? new ClocheError('STORE_UNUSABLE', {
          attempt: 'read the store',
          subject: place,
          reason: error.complaint,
          remedy: 'Fix it, or name another one',
          cause: error,
        })
      : error;
  }
}
