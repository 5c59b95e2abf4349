import type { PageRelation } from '../../contract/page-members.ts';
import { changeQuery } from '../../contract/list-pages.ts';
import { toOriginForm } from '../../http/path.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import { originOf, type RequestHead } from '../message.ts';
import { type Cursor, writeCursor } from './list-cursor.ts';
import type { ListStart, Paging, PagingParameter } from './list-query.ts';

/** The first or last item of a page. */
export interface PageEnd extends Pick<Cursor, 'position' | 'values'> {
  readonly id: JsonValue;
}

/** The known facts about a page of a list. */
export interface ListPage {
  readonly count: number;
  readonly limit: number;
  readonly start: ListStart;
  /** The number of items before the page; undefined if they were not counted. */
  readonly offset: number | undefined;
  /** The number of items on all pages; undefined if they were not counted. */
  readonly total: number | undefined;
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
  /** Undefined if the page is empty. */
  readonly ends: readonly [first: PageEnd, last: PageEnd] | undefined;
  /** The list and its order, for cursors. */
  readonly scope: string;
}

/** The facts about a page and its neighbours that a response may contain. */
export interface PageFacts extends Omit<ListPage, 'start' | 'scope'> {
  readonly page: number | undefined;
  readonly pages: number | undefined;
  /** Whether a declared parameter accepts cursors. */
  readonly takesCursor: boolean;
  /** The number of the first item. */
  readonly itemBase: number;
  /** Returns the number of a page, or of its first item if items are counted. */
  readonly number: (relation: PageRelation) => number | undefined;
  /** Returns the value of a cursor parameter for a page; undefined if the page does not exist. */
  readonly cursor: (relation: 'next' | 'previous') => JsonValue | undefined;
  /** Returns the cursor for an end of this page, even if no page follows. */
  readonly endCursor: (relation: 'first' | 'last') => JsonValue | undefined;
  readonly url: (relation: PageRelation, form: 'absolute' | 'relative') => string | undefined;
}

/** Servers and clients, the mock included, read 16 KiB of header fields. Longer links are omitted. */
const longestUrl = 4096;

/** Returns the facts about a page that a response may contain, by the declared parameters of its operation. */
export function describePage(page: ListPage, paging: Paging, head: RequestHead): PageFacts {
  const { limit, offset, total, start, ends, hasNext, hasPrevious, scope } = page;
  const [pageBase, itemBase] = [paging.page[0]?.base ?? 1, paging.offset[0]?.base ?? 0];
  const mode = modeOf(start, paging);
  const size = limit > 0 ? limit : Infinity;
  const isCut = size < Infinity;
  const pages = total === undefined ? undefined : Math.max(Math.ceil(total / size), isCut ? 0 : 1);
  const number = offset === undefined ? undefined : Math.floor(offset / size);

  /** Returns the number of items before another page. */
  function offsetOf(relation: PageRelation): number | undefined {
    if (relation === 'first') return 0;
    // The page before an offset past the end is the last page.
    const isPastEnd = relation === 'previous' && page.count === 0 && pages !== undefined && hasPrevious;
    if (relation === 'last' || isPastEnd)
      return pages === undefined ? undefined : Math.max(0, pages - 1) * (isCut ? limit : 0);
    if (offset === undefined || relation === 'self') return offset;
    if (relation === 'next') return hasNext && isCut ? offset + limit : undefined;
    return hasPrevious && isCut ? Math.max(0, offset - limit) : undefined;
  }

  function numberOf(relation: PageRelation): number | undefined {
    const before = offsetOf(relation);
    if (before === undefined) return undefined;
    if (mode === 'offset') return before + itemBase;
    return pageBase + (isCut ? Math.floor(before / limit) : 0);
  }

  function write(
    end: PageEnd,
    parameter: PagingParameter | undefined,
    direction: Cursor['direction'],
  ): JsonValue {
    if (parameter?.cursor === 'id') return end.id;
    if (parameter?.cursor === 'number') return typeof end.id === 'number' ? end.id : end.position;
    return writeCursor(scope, { direction, position: end.position, values: end.values });
  }

  function cursorOf(relation: 'next' | 'previous'): JsonValue | undefined {
    if (ends === undefined) return undefined;
    if (relation === 'next') return hasNext ? write(ends[1], paging.after[0], 'after') : undefined;
    return hasPrevious ? write(ends[0], paging.before[0] ?? paging.after[0], 'before') : undefined;
  }

  function urlOf(relation: PageRelation, form: 'absolute' | 'relative'): string | undefined {
    const changes = changesFor(relation);
    if (changes === undefined) return undefined;
    const place = changeQuery(toOriginForm(head.target), changes);
    const url = form === 'relative' ? place : `${originOf(head)}${place}`;
    return url.length > longestUrl ? undefined : url;
  }

  /** Returns the query members that lead to another page; undefined if there is none, or if it cannot be addressed. */
  function changesFor(relation: PageRelation): ReadonlyMap<string, string | undefined> | undefined {
    if (relation === 'self') return new Map();
    const { after, before } = paging;
    const cursors = without([...after, ...before]);
    if (mode === undefined) return undefined;
    if (mode !== 'cursor') {
      const found = paging[mode].find(({ member }) => member !== undefined);
      const value = numberOf(relation);
      return found?.member === undefined || value === undefined || value > found.maximum
        ? undefined
        : new Map([...cursors, [found.member, String(value)]]);
    }
    const numbers = without([...paging.page, ...paging.offset]);
    if (relation === 'first') return new Map([...cursors, ...numbers]);
    if (relation === 'last') return undefined;
    // Without a parameter for it, a cursor with this direction leads to the previous page.
    const [taken] = relation === 'previous' && before.length > 0 ? before : after;
    const value = cursorOf(relation);
    if (taken?.member === undefined || value === undefined) return undefined;
    if (relation === 'previous' && before.length === 0 && taken.cursor !== 'text') return undefined;
    const text = typeof value === 'string' ? taken.spell(value) : stringifyJson(value);
    return text === undefined ? undefined : new Map([...cursors, ...numbers, [taken.member, text]]);
  }

  return {
    ...page,
    itemBase,
    pages,
    takesCursor: paging.after.some(({ isDeclared }) => isDeclared),
    page: number === undefined ? undefined : number + pageBase,
    number: numberOf,
    cursor: cursorOf,
    endCursor: (relation) =>
      ends &&
      (relation === 'first'
        ? write(ends[0], paging.before[0], 'before')
        : write(ends[1], paging.after[0], 'after')),
    url: urlOf,
  };
}

/** Returns how pages are selected: as in the request, or else by a declared parameter. */
function modeOf(start: ListStart, paging: Paging): 'cursor' | 'page' | 'offset' | undefined {
  if (start.kind !== 'offset') return 'cursor';
  if (start.by !== undefined) return start.by;
  if (paging.after.length > 0) return 'cursor';
  if (paging.page.length > 0) return 'page';
  return paging.offset.length > 0 ? 'offset' : undefined;
}

function without(parameters: readonly PagingParameter[]): readonly (readonly [string, undefined])[] {
  return parameters.flatMap(({ member }) => (member === undefined ? [] : [[member, undefined] as const]));
}
