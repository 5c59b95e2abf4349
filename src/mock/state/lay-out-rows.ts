import { normalizePath } from '../../http/normalize-path.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { shorten } from '../content/shorten.ts';
import { createBreather } from '../create-breather.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import type { StoreContent } from '../store/store-content.ts';
import type { StoredResource, StoreKey } from '../store/store.ts';
import { toStoreKey } from '../store/to-store-key.ts';
import type { Collection, Collections } from './create-collections.ts';
import type { BadRow } from './data-error.ts';
import { describeClaim } from './describe-claim.ts';
import type { StateRows } from './mock-state.ts';
import { placeOfRow } from './row-places.ts';
import { type RowCandidate, takeRows } from './take-rows.ts';

/** A row and what is kept of it. */
export interface PlacedRow {
  readonly candidate: RowCandidate;
  readonly stored: StoredResource;
}

/** What rows come to. */
export interface RowLayout {
  /** In the order of the rows. */
  readonly placed: readonly PlacedRow[];
  /** Those that are not taken. */
  readonly bad: readonly BadRow[];
  /** The state with the rows in it. */
  readonly content: StoreContent;
}

function nameOf({ name }: Collection, key: StoreKey): string {
  return `${name}\0${typeof key}\0${key}`;
}

/** A service goes on counting behind the highest number that it finds. */
function withNumbers(content: StoreContent, collections: Collections): StoreContent {
  return {
    collections: content.collections.map((kept) => {
      const collection = collections.find(kept.name);
      const counts = typeof collection !== 'string' && collection.key.kind === 'server';
      const lastNumber = kept.resources.reduce(
        (most, { key }) => (counts && typeof key === 'number' ? Math.max(most, key) : most),
        kept.lastNumber,
      );
      return { ...kept, lastNumber };
    }),
  };
}

/**
 * Checks rows as a create checks bodies, and finds each its key.
 *
 * Keys that rows lack are made as the mock makes them, in the order of the rows, past those that rows have: the same
 * rows always get the same keys. Requests are let in now and then: nothing that they can see is changed here.
 *
 * @param input.onto - the state that they come into, in place of what has their keys; an empty one where it is left out
 */
export async function layOutRows(input: {
  readonly rows: StateRows;
  readonly collections: Collections;
  readonly onto?: StoreContent;
}): Promise<RowLayout> {
  const { rows, collections, onto } = input;
  const { candidates, bad: refused } = await takeRows(rows, collections);
  const breathe = createBreather();
  const bad = [...refused];
  const placed: PlacedRow[] = [];
  const store = createMemoryStore();
  if (onto !== undefined) {
    await store.load(onto);
  }
  const firsts = new Map<string, RowCandidate>();
  for (const candidate of candidates) {
    await breathe();
    const name = candidate.key === undefined ? undefined : nameOf(candidate.collection, candidate.key);
    if (name !== undefined && !firsts.has(name)) {
      firsts.set(name, candidate);
    }
  }

  async function makeKey(collection: Collection): Promise<JsonValue> {
    for (;;) {
      const made = collection.keeping.makeKey(await store.nextNumber(collection.name));
      const key = toStoreKey(made);
      if (!firsts.has(nameOf(collection, key)) && (await store.get(collection.name, key)) === undefined) {
        return made;
      }
    }
  }

  async function toStored({ collection, taken, key }: RowCandidate): Promise<StoredResource> {
    if (key !== undefined) {
      return collection.keeping.toStored(taken, key);
    }
    const made = await makeKey(collection);
    const resource = collection.keeping.withMadeKey(taken.resource, made);
    return collection.keeping.toStored({ ...taken, resource }, toStoreKey(made));
  }

  async function place(candidate: RowCandidate): Promise<string | undefined> {
    const { collection, key } = candidate;
    const first = key === undefined ? candidate : firsts.get(nameOf(collection, key));
    if (first !== candidate && !collection.takesDuplicates) {
      return `it has the key ${shorten(String(key))} of ${placeOfRow(first?.row) ?? `row ${(first?.index ?? 0) + 1}`}`;
    }
    const own = await toStored(candidate);
    // As a create keeps it: beside the one that has its key.
    const stored =
      first === candidate ? own : { ...own, key: `${key} ${await store.nextNumber(collection.name)}` };
    const outcome = await store.replace(stored);
    if (outcome.kind === 'claim-taken') {
      return describeClaim(outcome.claim);
    }
    placed.push({ candidate, stored });
    return undefined;
  }

  for (const candidate of candidates) {
    await breathe();
    const reason = await place(candidate);
    if (reason !== undefined) {
      const { collection, index, row } = candidate;
      bad.push({ collection: collection.name, index, place: placeOfRow(row), reason });
    }
  }
  const order = Object.keys(rows).map((path) => normalizePath(path));
  const orderOf = ({ collection }: BadRow): number => order.indexOf(normalizePath(collection));
  bad.sort((left, right) => orderOf(left) - orderOf(right) || left.index - right.index);
  return { placed, bad, content: withNumbers(await store.dump(), collections) };
}
