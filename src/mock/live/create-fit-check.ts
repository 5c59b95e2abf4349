import { parseJson } from '../../json/parse-json.ts';
import { valueKey } from '../../schema/value-key.ts';
import type { Collection, Collections } from '../state/create-collections.ts';
import type { TakenRow } from '../state/take-row.ts';
import type { KeptResource } from '../store/store-content.ts';
import type { StoreKey } from '../store/store.ts';
import { toStoreKey } from '../store/to-store-key.ts';
import type { FitCheck } from './fit-check.ts';

/** What a resource is to be kept under: what it is kept under by now, where that is as good. */
function toKey(input: {
  readonly collection: Collection;
  readonly taken: TakenRow;
  readonly present: StoreKey;
}): StoreKey | undefined {
  const { collection, taken, present } = input;
  if (collection.key.kind === 'none') {
    return present;
  }
  if (taken.key === undefined) {
    return undefined;
  }
  // One that stands beside another of its key has a number behind it.
  const isBeside =
    collection.takesDuplicates &&
    typeof present === 'string' &&
    present.startsWith(`${valueKey(taken.key)} `);
  return isBeside ? present : toStoreKey(taken.key);
}

/** Prepares the judging of resources that are kept: they are taken as data to start from is. */
export function createFitCheck({ find }: Pick<Collections, 'find'>): FitCheck {
  const known = new Map<string, Collection | string>();
  return (name, { key: present, text }: KeptResource) => {
    const collection = known.get(name) ?? find(name);
    known.set(name, collection);
    if (typeof collection === 'string') {
      return { kind: 'unfit', reason: collection };
    }
    const parsed = parseJson(text, { findDuplicateKeys: false });
    const taken = parsed.kind === 'json' ? collection.take(parsed.value) : 'what is kept of it is no JSON';
    if (typeof taken === 'string') {
      return { kind: 'unfit', reason: taken };
    }
    const key = toKey({ collection, taken, present });
    return key === undefined
      ? { kind: 'unfit', reason: 'it has no key of the kind that the service gives now' }
      : { kind: 'fits', key, claims: collection.keeping.toStored(taken, key).claims };
  };
}
