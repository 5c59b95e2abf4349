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

/** A page and its position in the list. */
export interface FoundPage extends Pick<ListPage, 'offset' | 'total' | 'hasNext' | 'hasPrevious'> {
  readonly items: readonly ListedItem[];
  /** The sort values of the first and the last item. */
  readonly ends: readonly [first: readonly JsonValue[], last: readonly JsonValue[]];
}

interface PageSearch {
  readonly store: Store;
  readonly collection: string;
  readonly query: ListQuery;
  /** The list and its order, in which its cursors are valid. */
  readonly scope: string;
  readonly needsTotal: boolean;
  readonly toItem: (resource: ListedResource) => ListedItem;
}

/** The number of resources that a full scan reads from the store per call. */
const atOnce = 1000;

/**
 * Finds the page that a request selects. If possible, only the page is read from the store. Otherwise all items are
 * scanned, and the scan yields to other requests.
 *
 * @returns undefined if the cursor does not belong to this list
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
  // One more shows whether there is a next page.
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

/** Reads a page of a collection: a small page in one call, a large one in parts, between other requests. */
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

/** Returns whether any resource precedes the start of the page. */
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
  /** The stored resource. It is not parsed, because there may be many, and a page shows few. */
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
      // For a cut cursor, the order of these items is unknown: none of them is omitted.
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

/** Returns whether values match a cursor that contains only their beginning. */
function isSameCut(values: readonly JsonValue[], cursor: Cursor): boolean {
  return stringifyJson([...cutValues(values).values]) === stringifyJson([...cursor.values]);
}

/** Sorts a large array. Sorted parts are merged in pairs; sorting yields to other requests. */
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

/** Returns the first resource of a collection that matches, in the order of creation. */
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

/** Resolves a cursor or the id of an item. */
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

/** Returns the possible store keys of an id: a text that is a number may be that number. */
function keysOf(value: JsonValue): readonly StoreKey[] {
  if (typeof value !== 'string') return [toStoreKey(value), toStoreKey(stringifyJson(value))];
  const read = parseJsonValue(value);
  return [toStoreKey(value), ...(read === undefined ? [] : [toStoreKey(read)])];
}
