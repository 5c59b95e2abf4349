import { encodeSegment, pathOf, toOriginForm } from '../http/path.ts';
import { headerValue, type HeaderList } from '../http/message.ts';
import { appendPointer, resolvePointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { foldSchema } from '../schema/merge.ts';
import { jsonTypeOf } from '../schema/walk.ts';
import type { Operation } from './contract.ts';
import { findListMember, firstNumber, type ListMember } from './list-parameters.ts';
import { type PageMember, pageMemberOf } from './page-members.ts';
import { decodeQueryText, parseQuery } from '../http/query.ts';

/** An item in a list, with its id; `value` is undefined if the list contains only ids. */
export interface ShownItem {
  readonly id: JsonValue;
  readonly value: JsonObject | undefined;
}

/** Returns the items in the response of a list. */
export function listItems({ kind }: Operation, received: JsonValue | undefined): readonly ShownItem[] {
  if (kind.kind !== 'list') return [];
  const { list, resource } = kind;
  const found =
    received === undefined ? undefined : resolvePointer(received, appendPointer('', ...list.path));
  if (list.kind === 'ids') return Array.isArray(found) ? found.map((id) => ({ id, value: undefined })) : [];
  const entries: readonly (readonly [JsonValue, JsonValue])[] = Array.isArray(found)
    ? found.map((value) => [null, value] as const)
    : Object.entries(isJsonObject(found) ? found : {});
  return entries.map(([name, element]) => {
    const value = resolvePointer(element, appendPointer('', ...list.element));
    const object = isJsonObject(value) ? value : {};
    const own = resource.key.kind === 'none' ? undefined : object[resource.key.property];
    return { id: own ?? name, value: object };
  });
}

/** A response of a list, and its request target. */
export interface ListPage {
  /** Path and query below the base URL. */
  readonly target: string;
  readonly status: number;
  readonly headers: HeaderList;
  /** Undefined if the response is not JSON. */
  readonly body: JsonValue | undefined;
}

/** The continuation of a list after some pages. */
export type NextPage =
  /** Another page at this target: path and query below the base URL. */
  | { readonly kind: 'next'; readonly target: string }
  /** The pages are the whole list. */
  | { readonly kind: 'end' }
  /** No known target, though there may be more items. */
  | { readonly kind: 'unknown' };

const end: NextPage = { kind: 'end' };
const unknown: NextPage = { kind: 'unknown' };

/**
 * Finds the continuation of a list from its pages, which were requested in order from the first. It follows links (a
 * Link field, RFC 8288; members of the envelope) or a cursor, or else counts by the declared parameters. A service may
 * return fewer items than requested, so counting ends with an empty page.
 */
export function nextPage(operation: Operation, pages: readonly ListPage[]): NextPage {
  const last = pages.at(-1);
  if (last === undefined) return unknown;
  // A page after the last one may be 404.
  if (last.status !== 200) return last.status === 404 && pages.length > 1 ? end : unknown;
  const items = listItems(operation, last.body);
  const said = readSaid(operation, last);
  if (said.next !== undefined) return said.next;
  // If the previous page named its next page and this one does not, this one is the last.
  const previous = pages.at(-2);
  if (previous !== undefined && readSaid(operation, previous).next?.kind === 'next') return end;
  if (items.length === 0 || said.isLast) return end;
  const earlier = new Set(
    pages.slice(0, -1).flatMap((page) => listItems(operation, page.body).map(({ id }) => idText(id))),
  );
  // If each page is the same, there is no way to continue.
  if (items.every(({ id }) => earlier.has(idText(id)))) return unknown;
  const shown = pages.reduce((sum, page) => sum + listItems(operation, page.body).length, 0);
  if (said.total === shown && (said.isTotalOfAll || pages.length > 1)) return end;
  return (
    countOn(operation, { pages, shown, items, isAll: said.total === undefined || said.total === shown }) ??
    unknown
  );
}

/** Returns the text of an id for comparisons: 7 and "7" are equal in a path. */
export function idText(id: JsonValue): string {
  return typeof id === 'string' ? id : stringifyJson(id);
}

/** Returns the total number of items that a page states; undefined if it states none. */
export function totalOf(operation: Operation, page: ListPage): number | undefined {
  return readSaid(operation, page).total;
}

/** The statements of a page about later pages. */
interface Said {
  readonly next: NextPage | undefined;
  readonly isLast: boolean;
  readonly total: number | undefined;
  readonly isTotalOfAll: boolean;
}

function readSaid(operation: Operation, page: ListPage): Said {
  const link = headerValue(page.headers, 'link');
  const links = readLinks(link ?? '');
  const linked = links.get('next');
  if (linked !== undefined) {
    const next = followLink(page, linked) ?? unknown;
    return { next, isLast: false, total: undefined, isTotalOfAll: false };
  }
  const members = [...readEnvelope(operation, page.body), ...readHeaders(page.headers)];
  const next = members.map((each) => follow(operation, page, each)).find((each) => each !== undefined);
  const isOfPages = relations.some((relation) => links.has(relation));
  const total = members.find(({ member }) => member.kind === 'total');
  return {
    next,
    isLast: next === undefined && (isOfPages || members.some(saysEnd)),
    total: toCount(total?.value),
    // A plain `count` may count only the page.
    isTotalOfAll: total !== undefined && /total/iu.test(total.name),
  };
}

const relations = ['first', 'last', 'prev', 'previous'];

function saysEnd({ member, value }: SaidMember): boolean {
  if (!isOfNext(member)) return false;
  if (member.kind === 'flag') return value === (member.says === 'is-last');
  return value === null || value === '' || (Array.isArray(value) && leadsNowhere(value));
}

function isOfNext(member: PageMember): boolean {
  switch (member.kind) {
    case 'flag':
      return member.says === 'has-next' || member.says === 'is-last';
    case 'url':
    case 'number':
    case 'cursor':
      return member.relation === 'next';
    case 'link':
      return member.link.relation === 'next';
    case 'links':
      return true;
    default:
      return false;
  }
}

function leadsNowhere(links: readonly JsonValue[]): boolean {
  return links.length > 0 && links.every((each) => isJsonObject(each) && each['rel'] !== 'next');
}

interface SaidMember {
  readonly name: string;
  readonly member: PageMember;
  readonly value: JsonValue;
}

/** The maximum depth of useful members in envelopes. */
const deepest = 3;

/** Returns the members next to the list in a body that describe pages. */
function readEnvelope({ kind }: Operation, body: JsonValue | undefined): readonly SaidMember[] {
  const list = kind.kind === 'list' ? kind.list.path : [];
  if (kind.kind !== 'list' || list.length === 0) return [];

  function visit(value: JsonValue, path: readonly string[]): readonly SaidMember[] {
    if (!isJsonObject(value) || path.length > deepest) return [];
    const siblings = Object.keys(value);
    return Object.entries(value).flatMap(([name, each]) => {
      const place = [...path, name];
      const leads = place.every((step, index) => step === list[index]);
      if (leads) return place.length === list.length ? [] : visit(each, place);
      const member = pageMemberOf({ name, path, siblings, ...typeOf(each) });
      return member === undefined ? visit(each, place) : [{ name, member, value: each }];
    });
  }

  return visit(body ?? null, []);
}

/** Returns a value in the form of a schema. */
function typeOf(value: JsonValue): { readonly part: JsonObject; readonly types: ReadonlySet<string> } {
  // A null here represents an absent URL or cursor, which is a text.
  const types = new Set([value === null ? 'string' : jsonTypeOf(value)]);
  const inside = Array.isArray(value) ? value[0] : value;
  const properties = isJsonObject(inside)
    ? Object.fromEntries(Object.keys(inside).map((name) => [name, {}]))
    : {};
  const example = typeof value === 'string' && value.startsWith('?') ? `/${value}` : value;
  return { types, part: Array.isArray(value) ? { items: { properties } } : { properties, example } };
}

function readHeaders(headers: HeaderList): readonly SaidMember[] {
  return headers.flatMap(([name, value]) => {
    const field = name.toLowerCase();
    const own = field.replace(/^x-/u, '').replace(/^(?:pagination|paging)-/u, '');
    // Fields that describe pages have a prefix, except these.
    if (field === own && !/^(?:total-count|next-page|next-cursor)$/u.test(own)) return [];
    const member = pageMemberOf({ name: own, path: [], siblings: [], part: {}, types: new Set(['string']) });
    return member === undefined ? [] : [{ name, member, value }];
  });
}

function follow(operation: Operation, page: ListPage, { member, value }: SaidMember): NextPage | undefined {
  if (value === null || value === '' || !isOfNext(member)) return undefined;
  switch (member.kind) {
    case 'url':
      return typeof value === 'string' && (!member.mayBeCursor || /^(?:https?:\/\/|[/?])/iu.test(value))
        ? followLink(page, value)
        : withParameter(operation, page, ['after', value]);
    case 'link':
      return isJsonObject(value) && typeof value['href'] === 'string'
        ? followLink(page, value['href'])
        : undefined;
    case 'links': {
      const link = [value].flat().find((each) => isJsonObject(each) && each['rel'] === 'next');
      return isJsonObject(link) && typeof link['href'] === 'string'
        ? followLink(page, link['href'])
        : undefined;
    }
    case 'cursor':
      return withParameter(operation, page, ['after', value]);
    case 'number':
      return (
        withParameter(operation, page, ['page', value]) ?? withParameter(operation, page, ['offset', value])
      );
    default:
      return undefined;
  }
}

/** Follows a link if it names the same list. The base URL of the service may add a path prefix. */
function followLink(page: ListPage, link: string): NextPage | undefined {
  const query = link.indexOf('?');
  const place = link.replace(/[?#].*$/su, '');
  const path = pathOf(page.target);
  if (query === -1 || !(place === '' || toOriginForm(place).endsWith(path))) return undefined;
  return { kind: 'next', target: path + link.slice(query).replace(/#.*$/su, '') };
}

function withParameter(
  operation: Operation,
  page: ListPage,
  [role, value]: readonly [role: 'after' | 'page' | 'offset', value: JsonValue],
): NextPage | undefined {
  const member = findListMember(operation, role);
  return member && toNext(page, [[member.name, idText(value)]]);
}

function toNext(page: ListPage, changes: readonly (readonly [string, string])[]): NextPage {
  return { kind: 'next', target: changeQuery(page.target, new Map(changes)) };
}

/** Continues by counting, or after the id of the last item. */
function countOn(
  operation: Operation,
  walk: {
    readonly pages: readonly ListPage[];
    readonly shown: number;
    readonly items: readonly ShownItem[];
    /** Whether no statement implies more items than were returned. */
    readonly isAll: boolean;
  },
): NextPage | undefined {
  const { pages, shown, items, isAll } = walk;
  const last = pages.at(-1);
  const [first] = pages;
  if (last === undefined || first === undefined) return undefined;
  const [offset, page, after] = (['offset', 'page', 'after'] as const).map((role) =>
    findListMember(operation, role),
  );
  if (offset !== undefined) {
    const from = numberIn(first, offset) ?? firstNumber(foldSchema(offset.schema), 'offset');
    return toNext(last, [[offset.name, String(from + shown)]]);
  }
  if (page !== undefined) {
    const from = numberIn(last, page) ?? firstNumber(foldSchema(page.schema), 'page');
    return toNext(last, [[page.name, String(from + 1)]]);
  }
  if (after !== undefined) {
    const id = items.at(-1)?.id ?? null;
    return id !== null && takesId(after) ? toNext(last, [[after.name, idText(id)]]) : undefined;
  }
  // Without paging parameters, the list is whole, unless the service seems to have truncated it.
  const isUnbounded = findListMember(operation, 'limit') === undefined;
  return isAll && isUnbounded && !looksCut(items.length) ? end : undefined;
}

/** Returns whether a list seems truncated: services that give no notice truncate at round numbers. */
function looksCut(count: number): boolean {
  return count >= 5 && count % 5 === 0;
}

const takesId = ({ name }: ListMember): boolean => /(?:id|starting_?after|marker|last_?key)\]?$/iu.test(name);

function numberIn({ target }: ListPage, { name }: ListMember): number | undefined {
  const value = parseQuery(target).find(([each]) => each === name)?.[1];
  return toCount(value === undefined ? undefined : decodeQueryText(value));
}

function toCount(value: JsonValue | undefined): number | undefined {
  const isCount = isJsonNumber(value) || (typeof value === 'string' && /^\d+$/u.test(value));
  return isCount ? Number(idText(value)) : undefined;
}

/** Returns the targets of a Link field by relation (RFC 8288 §3). */
function readLinks(field: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, target = '', parameters = ''] of field.matchAll(
    /<([^<>]*)>((?:\s*;[^,;]*(?:"[^"]*")?)*)/gu,
  )) {
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/iu.exec(parameters);
    for (const relation of (rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/u)) {
      if (!found.has(relation)) found.set(relation, target);
    }
  }
  return found;
}

/** Characters that a URI must encode (RFC 3986 §3.4), including the brackets of names. */
const unlawful = /[^\w.~!$&'()*+,;=:@/?%-]+/gu;
const encode = (text: string): string => text.replaceAll(unlawful, encodeSegment);

/** Sets or removes query members of a target. The other members stay unchanged. */
export function changeQuery(target: string, changes: ReadonlyMap<string, string | undefined>): string {
  const [, path = '', query = ''] = /^([^?]*)\??(.*)$/su.exec(target) ?? [];
  const kept = query
    .split('&')
    .filter((member) => member !== '' && !changes.has(decodeQueryText(member.replace(/=.*$/su, ''))));
  const set = [...changes].flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeSegment(name)}=${encodeSegment(value)}`],
  );
  const members = [...kept.map(encode), ...set];
  return encode(path) + (members.length === 0 ? '' : `?${members.join('&')}`);
}
