import type { Store } from '../store/store.ts';
import type { Prepared } from './prepared.ts';
import { setAsideName } from './set-aside-name.ts';

/**
 * Brings back, as a mock starts on a store that outlives it, what a mock before it set aside and what fits again. It
 * comes before the data to start from: what clients made of a row counts for more than the row.
 */
export async function bringBack(input: {
  readonly store: Store;
  readonly basis: Prepared['basis'];
}): Promise<void> {
  const { store, basis } = input;
  const snapshots = await store.snapshots();
  if (snapshots.some(({ name }) => name === setAsideName)) {
    const { keepWhatFits } = await import('./keep-what-fits.ts');
    await keepWhatFits({ store, before: basis, now: basis });
  }
}
