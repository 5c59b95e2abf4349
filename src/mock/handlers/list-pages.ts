import { parseJsonValue } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import { createEventLoopYield } from '../clock.ts';
import { type MaybePromise, whenThere } from '../message.ts';
import { findFirst } from '../store/insertion-order.ts';
import {
  type ListedResource,
  type Store,
  type StoreKey,
  type StorePage,
  toStoreKey,
} from '../store/store.ts';
import { compareCut, compareValues, type ListedItem, sortValues } from './list-conditions.ts';
import { type Cursor, cutValues, readCursor } from './list-cursor.ts';
import type { ListPage } from './list-links.ts';
import type { ListQuery, ListStart } from './list-query.ts';

/** A page, and what it is a page of. */
export interface FoundPage extends Pick<ListPage, 'offset' | 'total' | 'hasNext' | 'hasPrevious'> {
  readonly items: readonly ListedItem[];
  /** What the list is sorted by, of the first and of the last item. */
  readonly ends: readonly [first: readonly JsonValue[], last: readonly JsonValue[]];
}

interface PageSearch {
  readonly store: Store;
  readonly collection: string;
  readonly query: ListQuery;
  /** The list and its order, which its cursors are good for. */
  readonly scope: string;
  readonly needsTotal: boolean;
  readonly toItem: (resource: ListedResource) => ListedItem;
}

/** So many resources are taken out of the store at once where all are looked at. */
const atOnce = 1000;

/**
 * Finds the page that a request asks for: out of the store where the page is all that has to be looked at, else by looking
 * at all items, while other requests have their turn.
 *
 * @returns undefined where the cursor is none of this list
 */
export function findPage(search: PageSearch): MaybePromise<FoundPage | undefined> {
  const { query } = search;
  const isPlain = query.tests.length === 0 && query.sort.length === 0;
  const find = (cursor: Cursor | undefined): MaybePromise<FoundPage> =>
    isPlain ? findInOrder(search, cursor) : findByWalking(search, cursor);
  const { start } = query;
  if (start.kind === 'offset') return find(undefined);
  return whenThere(resolveCursor(search, start), (cursor) => cursor && find(cursor));
}

function findInOrder(search: PageSearch, cursor: Cursor | undefined): MaybePromise<FoundPage> {
  const { store, collection, query, needsTotal, toItem } = search;
  const { limit, start, isNewestFirst } = query;
  // One more tells whether there is a next page.
  const most = Math.min(limit, Number.MAX_SAFE_INTEGER - 1) + 1;
  const isBack = cursor?.direction === 'before';
  const order = isNewestFirst === isBack ? 'ascending' : 'descending';
  const offset = start.kind === 'offset' ? start.offset : undefined;
  const place = cursor === undefined ? { offset: offset ?? 0 } : { after: cursor.position };
  const rows = offset === Infinity ? [] : listInSlices(search, { ...place, limit: most, order });
  return whenThere(rows, (found) =>
    whenThere(isAnyBehind(search, cursor, order), (isBehind) =>
      whenThere(
        needsTotal || (found.length === 0 && isBehind) ? store.count(collection) : undefined,
        (total) => {
          const listed = found.slice(0, limit).map(toItem);
          const items = isBack ? listed.toReversed() : listed;
          const isMore = found.length > limit;
          return {
            items,
            ends: [[], []],
            total,
            offset: offset === Infinity ? total : offset,
            hasNext: isBack ? isBehind : isMore,
            hasPrevious: isBack ? isMore : isBehind,
          };
        },
      ),
    ),
  );
}

/** A page of a collection: a small one at once, a large one while other requests have their turn. */
function listInSlices(
  { store, collection }: Pick<PageSearch, 'store' | 'collection'>,
  page: StorePage,
): MaybePromise<readonly ListedResource[]> {
  const { limit, order = 'ascending' } = page;

  async function goOn(found: ListedResource[]): Promise<readonly ListedResource[]> {
    const yieldToEventLoop = createEventLoopYield(1);
    for (let last = found.at(-1); last !== undefined && found.length < limit;) {
      await yieldToEventLoop();
      const rest = Math.min(limit - found.length, atOnce);
      const more = await store.list(collection, { after: last.position, limit: rest, order });
      more.forEach((resource) => found.push(resource));
      last = more.length < rest ? undefined : more.at(-1);
    }
    return found;
  }

  return whenThere(store.list(collection, { ...page, limit: Math.min(limit, atOnce) }), (first) =>
    first.length < atOnce ? first : goOn([...first]),
  );
}

/** Whether any resource stands on the other side of where a page begins. */
function isAnyBehind(
  { store, collection, query: { start } }: PageSearch,
  cursor: Cursor | undefined,
  order: 'ascending' | 'descending',
): MaybePromise<boolean> {
  if (cursor === undefined) return start.kind === 'offset' && start.offset > 0;
  return whenThere(store.list(collection, { offset: 0, limit: 1, order }), ([first]) => {
    if (first === undefined) return false;
    return order === 'ascending' ? first.position <= cursor.position : first.position >= cursor.position;
  });
}

interface Candidate extends Pick<Cursor, 'position' | 'values'> {
  /** Not what is read of it: there may be many, and a page shows few. */
  readonly resource: ListedResource;
}

async function findByWalking(search: PageSearch, cursor: Cursor | undefined): Promise<FoundPage> {
  const { limit, start, sort, tests, isNewestFirst } = search.query;
  const found: Candidate[] = [];
  let place = cursor;
  await walk(search, (resource) => {
    const item = search.toItem(resource);
    const isAtCursor = cursor?.isCut === true && resource.position === cursor.position;
    const isListed = tests.every((test) => test(item));
    if (!isAtCursor && !isListed) return false;
    const { position } = resource;
    const values = sortValues(item, sort);
    if (isAtCursor && isSameCut(values, cursor)) place = { ...cursor, values, isCut: false };
    if (isListed) found.push({ resource, position, values });
    return false;
  });
  const inTime = isNewestFirst ? -1 : 1;
  const compare = (
    left: Pick<Cursor, 'position' | 'values'>,
    right: Pick<Cursor, 'position' | 'values'>,
  ): number => compareValues(left.values, right.values, sort) || (left.position - right.position) * inTime;
  const sorted = await sortInSlices(found, compare);
  const total = sorted.length;
  let begin = start.kind === 'offset' ? Math.min(start.offset, total) : 0;
  let end = Math.min(begin + limit, total);
  if (place !== undefined) {
    const { direction, values, isCut, position } = place;
    const first = findFirst(sorted, (each) => {
      const order = isCut ? compareCut(each.values, values, sort) : compare(each, { values, position });
      // Of a cut place it is unknown which of these items stood before it: none of them is left out.
      return order > 0 || (order === 0 && isCut === (direction === 'after'));
    });
    begin = direction === 'after' ? first : Math.max(0, first - limit);
    end = direction === 'after' ? Math.min(first + limit, total) : first;
  }
  return {
    items: sorted.slice(begin, end).map(({ resource }) => search.toItem(resource)),
    ends: [sorted[begin]?.values ?? [], sorted[end - 1]?.values ?? []],
    total,
    offset: begin,
    hasNext: end < total,
    hasPrevious: begin > 0,
  };
}

/** Returns whether values are those that a cursor holds the beginning of. */
function isSameCut(values: readonly JsonValue[], cursor: Cursor): boolean {
  return stringifyJson([...cutValues(values).values]) === stringifyJson([...cursor.values]);
}

/** Sorts what may be much: runs of it, which are merged two by two while other requests have their turn. */
async function sortInSlices<T>(
  many: readonly T[],
  compare: (left: T, right: T) => number,
): Promise<readonly T[]> {
  const yieldToEventLoop = createEventLoopYield();
  let runs: (readonly T[])[] = [];
  for (let start = 0; start < many.length; start += atOnce) {
    runs.push(many.slice(start, start + atOnce).toSorted(compare));
    await yieldToEventLoop();
  }
  while (runs.length > 1) {
    const longer: (readonly T[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      const [left = [], right = []] = [runs[index], runs[index + 1]];
      const merged: T[] = [];
      let [at, other] = [0, 0];
      while (at < left.length || other < right.length) {
        const [a, b] = [left[at], right[other]];
        const isLeft = b === undefined || (a !== undefined && compare(a, b) <= 0);
        const next = isLeft ? a : b;
        at += isLeft ? 1 : 0;
        other += isLeft ? 0 : 1;
        if (next !== undefined) merged.push(next);
        const pause = yieldToEventLoop();
        if (pause !== undefined) await pause;
      }
      longer.push(merged);
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

/** Returns the first resource of a collection that is what is looked for, in the order in which they came. */
async function walk(
  { store, collection }: PageSearch,
  isSought: (resource: ListedResource) => boolean,
): Promise<ListedResource | undefined> {
  const yieldToEventLoop = createEventLoopYield();
  let page = await store.list(collection, { offset: 0, limit: atOnce });
  for (;;) {
    for (const resource of page) {
      if (isSought(resource)) return resource;
      const pause = yieldToEventLoop();
      if (pause !== undefined) await pause;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < atOnce) return undefined;
    page = await store.list(collection, { after: last.position, limit: atOnce });
  }
}

/** What a cursor or the id of an item stands for. */
function resolveCursor(
  search: PageSearch,
  { kind, value }: Exclude<ListStart, { kind: 'offset' }>,
): MaybePromise<Cursor | undefined> {
  const cursor = typeof value === 'string' ? readCursor(search.scope, value) : undefined;
  if (cursor !== undefined) return { ...cursor, direction: kind === 'before' ? kind : cursor.direction };
  return findById(search, kind, value);
}

async function findById(
  search: PageSearch,
  direction: Cursor['direction'],
  value: JsonValue,
): Promise<Cursor | undefined> {
  const { store, collection, query, toItem } = search;
  for (const key of keysOf(value)) {
    if ((await store.get(collection, key)) === undefined) continue;
    const found = await walk(search, (resource) => resource.key === key);
    if (found === undefined) return undefined;
    const values = sortValues(toItem(found), query.sort);
    return { direction, position: found.position, values, isCut: false };
  }
  return undefined;
}

/** The keys that an id may be kept under: a text that is a number may be that number. */
function keysOf(value: JsonValue): readonly StoreKey[] {
  if (typeof value !== 'string') return [toStoreKey(value), toStoreKey(stringifyJson(value))];
  const read = parseJsonValue(value);
  return [toStoreKey(value), ...(read === undefined ? [] : [toStoreKey(read)])];
}
