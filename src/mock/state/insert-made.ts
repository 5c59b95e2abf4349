import type { Store, StoredResource } from '../store/store.ts';
import { toStoreKey } from '../store/to-store-key.ts';
import type { Collection } from './create-collections.ts';
import { describeClaim } from './describe-claim.ts';
import type { TakenRow } from './take-row.ts';

/**
 * Keeps a row that has no key under the next one that is free, as a create does.
 *
 * @returns what is kept; a text says why it is not, in words without a full stop
 */
export async function insertMade(input: {
  readonly store: Store;
  readonly collection: Collection;
  readonly taken: TakenRow;
}): Promise<StoredResource | string> {
  const { store, collection, taken } = input;
  const { keeping, name } = collection;
  for (;;) {
    const made = keeping.makeKey(await store.nextNumber(name));
    const resource = keeping.withMadeKey(taken.resource, made);
    const stored = keeping.toStored({ ...taken, resource }, toStoreKey(made));
    const outcome = await store.insertIfAbsent(stored);
    if (outcome.kind !== 'key-taken') {
      return outcome.kind === 'stored' ? stored : describeClaim(outcome.claim);
    }
  }
}
