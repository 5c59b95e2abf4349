import {
  type PageMember,
  pageMemberOf,
  type PageMemberPlace,
  type PageRelation,
} from '../../contract/page-members.ts';
import { nestMember } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonNumber, type JsonObject, type JsonValue } from '../../json/value.ts';
import { sampleValue } from '../../schema/value/sample-value.ts';
import { cursorSpeller } from './list-cursor.ts';
import type { PageFacts } from './list-links.ts';

/** What a member of an envelope, or a header, says of a page; undefined where the page has nothing of the kind. */
export interface Filling {
  readonly fill: (page: PageFacts) => JsonValue | undefined;
  /** Whether all items have to be counted for it. */
  readonly needsTotal?: boolean;
}

/** What a member of an envelope, or a header, says of a page, by its name and type; undefined where it says nothing of one. */
export function fillingOf(place: PageMemberPlace): Filling | undefined {
  const { types, part } = place;
  const member = pageMemberOf(place);
  const filling = member && fillingFor(member, part);
  if (filling === undefined) return undefined;
  if (types.has('integer') || types.has('number')) {
    return { ...filling, fill: (page) => raise(filling.fill(page), part['minimum']) };
  }
  return types.has('string') && !types.has('boolean')
    ? { ...filling, fill: (page) => toText(filling.fill(page)) }
    : filling;
}

/** A document may count pages from a number that its own schema names. */
function raise(value: JsonValue | undefined, minimum: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'number' && isJsonNumber(minimum) ? Math.max(value, Number(minimum)) : value;
}

function fillingFor(member: PageMember, part: JsonObject): Filling {
  switch (member.kind) {
    case 'total':
    case 'pages':
      return { fill: (page) => page[member.kind], needsTotal: true };
    case 'count':
    case 'page':
      return { fill: (page) => page[member.kind] };
    case 'limit':
      return { fill: ({ limit, count }) => (limit === Infinity ? count : limit) };
    case 'offset':
      return { fill: ({ offset, itemBase }) => (offset === undefined ? undefined : offset + itemBase) };
    case 'position':
      return {
        fill: ({ offset, count }) =>
          offset === undefined || count === 0 ? undefined : offset + (member.end === 'first' ? 1 : count),
      };
    case 'number':
      return { fill: (page) => page.number(member.relation), needsTotal: member.relation === 'last' };
    case 'cursor':
      return { fill: fitting(part, (page) => page.cursor(member.relation)) };
    case 'end-cursor':
      return { fill: fitting(part, (page) => page.endCursor(member.end)) };
    case 'end-id':
      return { fill: ({ ends }) => ends?.[member.end === 'first' ? 0 : 1].id };
    case 'flag':
      return { fill: (page) => flags[member.says](page) };
    case 'url':
      return urlFilling(member, part);
    case 'link': {
      const filling = urlFilling(member.link, part);
      const sample = sampleValue(part) ?? {};
      return {
        ...filling,
        fill(page) {
          const href = filling.fill(page);
          return href === undefined ? undefined : nestMember(sample, ['href'], href);
        },
      };
    }
    case 'links':
      return {
        fill: (page) => relations.flatMap((rel) => linkOf(page, rel, member.form)),
        needsTotal: true,
      };
  }
}

const flags: Readonly<Record<Extract<PageMember, { kind: 'flag' }>['says'], (page: PageFacts) => boolean>> = {
  'has-next': ({ hasNext }) => hasNext,
  'has-previous': ({ hasPrevious }) => hasPrevious,
  'is-last': ({ hasNext }) => !hasNext,
  'is-first': ({ hasPrevious }) => !hasPrevious,
  'is-empty': ({ count }) => count === 0,
};

/** A cursor as its schema accepts it: one that it does not accept leads nowhere, so that the page is not offered. */
function fitting(part: JsonObject, fill: Filling['fill']): Filling['fill'] {
  const spell = cursorSpeller(part);
  return (page) => {
    const value = fill(page);
    return typeof value === 'string' ? spell(value) : value;
  };
}

function urlFilling(
  { relation, form, mayBeCursor }: Extract<PageMember, { kind: 'url' }>,
  part: JsonObject,
): Filling {
  const isNeighbour = relation === 'next' || relation === 'previous';
  const cursor = fitting(part, (page) => (isNeighbour ? page.cursor(relation) : undefined));
  return {
    // Without a cursor parameter there is nothing else that it could be.
    fill: (page) =>
      mayBeCursor && isNeighbour && page.takesCursor ? cursor(page) : page.url(relation, form ?? 'relative'),
    needsTotal: relation === 'last' && !mayBeCursor,
  };
}

/** A value as a text that stands alone: a string without quotes. */
export function toText(value: JsonValue | undefined): string | undefined {
  return value === undefined || typeof value === 'string' ? value : stringifyJson(value);
}

/** The pages that links lead to, in their usual order. */
export const relations: readonly PageRelation[] = ['self', 'first', 'previous', 'next', 'last'];

function linkOf(
  page: PageFacts,
  relation: PageRelation,
  form: 'absolute' | 'relative',
): readonly JsonObject[] {
  const href = page.url(relation, form);
  return href === undefined ? [] : [{ rel: toRel(relation), href }];
}

/** What a link is called (RFC 8288 §2.1.1, IANA). */
export function toRel(relation: PageRelation): string {
  return relation === 'previous' ? 'prev' : relation;
}
