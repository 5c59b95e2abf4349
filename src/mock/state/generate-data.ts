import { canonicalPath } from '../../http/path.ts';
import { parseJsonValue } from '../../json/parse.ts';
import type { JsonObject } from '../../json/value.ts';
import { toSegment } from '../handlers/resource-view.ts';
import type { StoredResource } from '../store/store.ts';
import type { Collection, Collections } from './collections.ts';
import { byDepth } from './example-rows.ts';
import { relateRows, type Target } from './made-relations.ts';
import { prepareRowMaker } from './made-rows.ts';
import type { DataReport, StateRows } from './rows.ts';

/** How many rows are made up at most of what lies below other items: each of them has some of its own. */
const mostNested = 10_000;

/** What was made up. */
interface MadeRows {
  /** All rows of the collections that got some, those that were there first. */
  readonly rows: StateRows;
  /** Collections that got fewer than were wanted, nested ones by their template. */
  readonly short: DataReport['short'];
}

/**
 * Makes up rows for each collection that is kept, nested ones under each item above them. Those of which rows are given
 * stay as they are, but for an empty list of what nothing creates. Requests are let in now and then.
 *
 * @param how.count - rows of each collection; there are fewer where there are no more that are not alike
 * @param how.fillsUp - whether collections of which rows are given get so many in all
 * @param how.clock - what made-up times are near to, in milliseconds since 1970
 * @param how.layOut - finds the keys of rows
 */
export async function generateRows(
  collections: Collections,
  given: StateRows,
  how: {
    readonly count: number;
    readonly seed: number;
    readonly clock: () => number;
    readonly fillsUp: boolean;
    readonly layOut: (rows: StateRows) => Promise<readonly PlacedKey[]>;
  },
): Promise<MadeRows> {
  const { count, fillsUp } = how;
  const rows: Record<string, readonly JsonObject[]> = {};
  const filled: { collection: Collection; rows: readonly JsonObject[]; given: number }[] = [];
  const short: DataReport['short'][number][] = [];
  const present = new Map(Object.entries(given).map(([path, list]) => [canonicalPath(path), list]));
  const uses = collections.uses.filter(({ resource }) => resource.isKept && resource.kind === 'collection');
  let nested = uses.filter(({ resource }) => resource.parent !== undefined).length;
  let left = mostNested;
  let items: { readonly depth: number; readonly paths: ReadonlyMap<string, readonly string[]> } | undefined;

  for (const { resource, operations } of uses.toSorted(byDepth)) {
    const isFilledByData = operations.every(
      ({ kind }) => kind.kind !== 'create' && !(kind.kind === 'replace' && kind.creates),
    );
    const wantedIn = ({ name }: Collection): number => {
      const there = present.get(name)?.length;
      if (there === undefined) return count;
      return fillsUp || (there === 0 && isFilledByData) ? Math.max(0, count - there) : 0;
    };
    const isNested = resource.parent !== undefined;
    const depth = resource.collection.split('/').length;
    if (isNested && items?.depth !== depth) {
      // What is above is shorter: all of it is made up by now.
      items = { depth, paths: listItemPaths(listTargets(await how.layOut({ ...given, ...rows }))) };
    }
    const found = listPlaces(resource, items?.paths ?? new Map())
      .map((path) => collections.find(path))
      .filter((each) => typeof each !== 'string');
    const [first] = found;
    if (first === undefined) {
      nested -= isNested ? 1 : 0;
      continue;
    }
    const wanted = found.reduce((sum, each) => sum + wantedIn(each), 0);
    const share = isNested ? Math.floor(left / nested) : wanted;
    const most = wanted > share ? Math.max(1, Math.floor(share / found.length)) : count;
    const make = await prepareRowMaker(first, operations, how);
    let made = 0;
    for (const collection of found) {
      const number = Math.min(wantedIn(collection), most, share - made);
      if (number <= 0) continue;
      const there = present.get(collection.name) ?? [];
      const more = await make(collection, there, number);
      rows[collection.name] = [...there, ...more];
      filled.push({ collection, rows: [...there, ...more], given: there.length });
      made += more.length;
    }
    if (isNested) {
      left -= made;
      nested -= 1;
    }
    if (made < wanted) {
      const reason = wanted > share ? 'many-nested' : 'alike';
      short.push({ collection: resource.collection, made, wanted, reason });
    }
  }
  const related = await relateRows(filled, {
    operations: collections.uses.flatMap(({ operations }) => operations),
    listTargets: async () => listTargets(await how.layOut({ ...given, ...rows })),
    seed: how.seed,
  });
  return { rows: { ...rows, ...related }, short };
}

/** A row with the key that it is kept under. */
interface PlacedKey {
  readonly collection: Pick<Collection, 'resource'>;
  readonly stored: StoredResource;
}

/** The items that have a path of their own: one beside another that has its key has none. */
function listTargets(placed: readonly PlacedKey[]): readonly Target[] {
  return placed.flatMap(({ collection: { resource }, stored: { collection, key: storeKey } }) => {
    const key = parseJsonValue(String(storeKey));
    if (key === undefined) return [];
    return [{ resource, collection, path: `${collection.replace(/\/$/u, '')}/${toSegment(key)}`, key }];
  });
}

/** The paths of items, by the template of their collection. */
function listItemPaths(items: readonly Target[]): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, string[]>();
  for (const { resource, path } of items) {
    const known = paths.get(resource.collection);
    if (known === undefined) paths.set(resource.collection, [path]);
    else known.push(path);
  }
  return paths;
}

/** The concrete paths of the collections of a resource: one, or one below each item above. */
function listPlaces(
  { collection, parent }: Collection['resource'],
  items: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  if (parent === undefined) return collection.includes('{') ? [] : [collection];
  const depth = parent.replace(/\/$/u, '').split('/').length;
  const rest = collection.split('/').slice(depth + 1);
  // A parameter that names no item could be anything.
  if (rest.some((segment) => segment.includes('{'))) return [];
  return (items.get(parent) ?? []).map((path) => [path, ...rest].join('/'));
}
