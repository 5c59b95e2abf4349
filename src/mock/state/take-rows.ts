import { createBreather } from '../create-breather.ts';
import { toStoreKey } from '../store/to-store-key.ts';
import type { Collection, Collections } from './create-collections.ts';
import type { BadRow } from './data-error.ts';
import type { StateRows } from './mock-state.ts';
import { placeOfRow } from './row-places.ts';
import type { StoreKey } from '../store/store.ts';
import type { TakenRow } from './take-row.ts';

/** A row that its collection takes. */
export interface RowCandidate {
  readonly collection: Collection;
  /** Its place among the rows of the collection, from 0. */
  readonly index: number;
  readonly row: unknown;
  readonly taken: TakenRow;
  /** Undefined where the service makes its key. */
  readonly key: StoreKey | undefined;
}

/** Checks each row as a create checks a body, and lets requests in now and then. */
export async function takeRows(
  rows: StateRows,
  collections: Collections,
): Promise<{ readonly candidates: readonly RowCandidate[]; readonly bad: readonly BadRow[] }> {
  const breathe = createBreather();
  const candidates: RowCandidate[] = [];
  const bad: BadRow[] = [];
  for (const [path, list] of Object.entries(rows)) {
    const collection = collections.find(path);
    if (typeof collection === 'string') {
      bad.push({ collection: path, index: 0, place: placeOfRow(list[0]), reason: collection });
      continue;
    }
    for (const [index, row] of list.entries()) {
      await breathe();
      const taken = collection.take(row);
      if (typeof taken === 'string') {
        bad.push({ collection: path, index, place: placeOfRow(row), reason: taken });
      } else {
        const key = taken.key === undefined ? undefined : toStoreKey(taken.key);
        candidates.push({ collection, index, row, taken, key });
      }
    }
  }
  return { candidates, bad };
}
