import {
  type PageMember,
  pageMemberOf,
  type PageMemberPlace,
  type PageRelation,
} from '../../contract/page-members.ts';
import { nestMember } from '../../json/pointer.ts';
import { toText } from '../../json/print.ts';
import { isJsonNumber, type JsonObject, type JsonValue } from '../../json/value.ts';
import { sampleValue } from '../../schema/value/sample-value.ts';
import { cursorSpeller } from './list-cursor.ts';
import type { PageFacts } from './list-links.ts';

/** The value of a member of an envelope, or of a header, for a page; undefined if the page lacks the fact. */
export interface Filling {
  readonly fill: (page: PageFacts) => JsonValue | undefined;
  /** Whether it needs the count of all items. */
  readonly needsTotal?: boolean;
}

/** Finds the fact for a member of an envelope, or a header, by its name and type; undefined if there is none. */
export function fillingOf(place: PageMemberPlace): Filling | undefined {
  const { types, part } = place;
  const member = pageMemberOf(place);
  const filling = member && fillingFor(member, part);
  if (filling === undefined) return undefined;
  if (types.has('integer') || types.has('number')) {
    return { ...filling, fill: (page) => raise(filling.fill(page), part['minimum']) };
  }
  return types.has('string') && !types.has('boolean')
    ? { ...filling, fill: (page) => toTextIf(filling.fill(page)) }
    : filling;
}

/** Returns a value as plain text, if there is one. */
export function toTextIf(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : toText(value);
}

/** Raises a number to a minimum: a document may number pages from the minimum of its schema. */
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

/** Spells cursors as their schema accepts them. A page whose cursor the schema rejects is not offered. */
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
    // Without a cursor parameter, it can only be a URL.
    fill: (page) =>
      mayBeCursor && isNeighbour && page.takesCursor ? cursor(page) : page.url(relation, form ?? 'relative'),
    needsTotal: relation === 'last' && !mayBeCursor,
  };
}

/** The relations of links to pages, in their usual order. */
export const relations: readonly PageRelation[] = ['self', 'first', 'previous', 'next', 'last'];

function linkOf(
  page: PageFacts,
  relation: PageRelation,
  form: 'absolute' | 'relative',
): readonly JsonObject[] {
  const href = page.url(relation, form);
  return href === undefined ? [] : [{ rel: toRel(relation), href }];
}

/** Returns the name of a link relation (RFC 8288 §2.1.1, IANA). */
export function toRel(relation: PageRelation): string {
  return relation === 'previous' ? 'prev' : relation;
}
