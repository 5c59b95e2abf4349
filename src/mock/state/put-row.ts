import type { Store, StoredResource } from '../store/store.ts';
import { toStoreKey } from '../store/to-store-key.ts';
import type { Collection, Collections } from './create-collections.ts';
import { DataError } from './data-error.ts';
import { describeClaim } from './describe-claim.ts';
import { insertMade } from './insert-made.ts';
import { placeOfRow } from './row-places.ts';

async function keep(store: Store, collection: Collection, row: unknown): Promise<StoredResource | string> {
  const taken = collection.take(row);
  if (typeof taken === 'string') {
    return taken;
  }
  if (taken.key === undefined) {
    return insertMade({ store, collection, taken });
  }
  const stored = collection.keeping.toStored(taken, toStoreKey(taken.key));
  const outcome = await store.replace(stored);
  return outcome.kind === 'claim-taken' ? describeClaim(outcome.claim) : stored;
}

/**
 * Keeps one row, in place of the resource that has its key.
 *
 * @param input.path - the concrete path of its collection
 * @throws DataError where the contract has no such collection or does not take the row
 */
export async function putRow(input: {
  readonly store: Store;
  readonly collections: Collections;
  readonly path: string;
  readonly row: unknown;
}): Promise<StoredResource> {
  const { store, path, row } = input;
  const collection = input.collections.find(path);
  const kept = typeof collection === 'string' ? collection : await keep(store, collection, row);
  if (typeof kept === 'string') {
    const bad = { collection: path, index: 0, place: placeOfRow(row), reason: kept };
    throw new DataError({ subject: path, rows: [bad] });
  }
  return kept;
}
