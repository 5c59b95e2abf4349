import type { KeptResource, StoreContent } from '../store/store-content.ts';
import type { Store, StoredResource, StoreKey } from '../store/store.ts';
import type { Collections } from './create-collections.ts';
import { DataError } from './data-error.ts';
import { describeClaim } from './describe-claim.ts';
import { insertMade } from './insert-made.ts';
import { layOutRows, type PlacedRow } from './lay-out-rows.ts';
import type { Imported, StateRows } from './mock-state.ts';
import { nameRows } from './name-rows.ts';
import { placeOfRow } from './row-places.ts';

async function keep(store: Store, { stored, candidate }: PlacedRow): Promise<StoredResource | string> {
  if (candidate.key === undefined) {
    // Another create may have the key by now that was found for it.
    return insertMade({ store, ...candidate });
  }
  const outcome = await store.replace(stored);
  return outcome.kind === 'claim-taken' ? describeClaim(outcome.claim) : stored;
}

function byKey({ collections }: StoreContent): ReadonlyMap<string, ReadonlyMap<StoreKey, KeptResource>> {
  return new Map(
    collections.map(({ name, resources }) => [name, new Map(resources.map((each) => [each.key, each]))]),
  );
}

/**
 * Brings rows into what a store keeps, in place of the resources that have their keys.
 *
 * They are checked against the whole first, which lets requests in now and then, and brought in one by one then, so that
 * nothing is lost that is created meanwhile. Should that stand in the way of one, those before it are taken out again.
 *
 * @throws DataError which names each row that is not taken
 */
export async function mergeRows(input: {
  readonly store: Store;
  readonly collections: Collections;
  readonly rows: StateRows;
}): Promise<Imported> {
  const { store, collections, rows } = input;
  const { placed, bad } = await layOutRows({ rows, collections, onto: await store.dump() });
  if (bad.length > 0) {
    throw new DataError({ subject: nameRows(rows), rows: bad });
  }
  // Not what they were checked against: a client may have changed something since.
  const former = byKey(await store.dump());
  const kept: StoredResource[] = [];
  const formerOf = ({ collection, key }: StoredResource) => former.get(collection)?.get(key);

  async function takeOut(resource: StoredResource): Promise<void> {
    const { collection, key } = resource;
    const present = formerOf(resource);
    await (present === undefined ? store.delete(collection, key) : store.replace({ collection, ...present }));
  }

  for (const row of placed) {
    const outcome = await keep(store, row);
    if (typeof outcome === 'string') {
      for (const resource of kept.toReversed()) {
        await takeOut(resource);
      }
      const { collection, index, row: given } = row.candidate;
      const one = { collection: collection.name, index, place: placeOfRow(given), reason: outcome };
      throw new DataError({ subject: nameRows(rows), rows: [one] });
    }
    kept.push(outcome);
  }
  const replaced = kept.filter((resource) => formerOf(resource) !== undefined).length;
  return { added: kept.length - replaced, replaced };
}
