import { stringifyJson } from '../../json/print.ts';
import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { nestMember } from '../answer/representation.ts';
import { sampleValue } from '../answer/sample-value.ts';
import { plain } from './list-conditions.ts';
import type { PageFacts, PageRelation } from './list-links.ts';

/** What a member of an envelope, or a header, says of a page; undefined where the page has nothing of the kind. */
export interface Filling {
  readonly fill: (page: PageFacts) => JsonValue | undefined;
  /** Whether all items have to be counted for it. */
  readonly needsTotal?: boolean;
}

/** A member of an envelope, or a header. */
export interface Place {
  readonly name: string;
  /** The names of the members around it. */
  readonly path: readonly string[];
  readonly siblings: readonly string[];
  /** Its schema. */
  readonly part: JsonObject;
  readonly types: ReadonlySet<string>;
}

/** What a member of an envelope, or a header, says of a page, by its name and type; undefined where it says nothing of one. */
export function fillingOf(place: Place): Filling | undefined {
  const { types, part, name, path, siblings } = place;
  const own = plain(name.replace(/^@odata\./u, ''));
  if (types.has('boolean')) return flagOf(own);
  const isCountOfPage =
    own === 'count' && siblings.some((each) => each !== name && isTotal.test(plain(each)));
  if (types.has('integer') || types.has('number')) {
    const filling = isCountOfPage ? { fill: countOf } : numberOf(own);
    return filling && { ...filling, fill: (page) => raise(filling.fill(page), part['minimum']) };
  }
  const isLink = isLinks.test(plain(path.at(-1) ?? ''));
  if (types.has('string')) return textOf(own, path, { ...part, isLink }) ?? numberText(own);
  if (types.has('object')) return linkObject(own, part);
  return types.has('array') && isLinks.test(own) ? linkArray(part) : undefined;
}

const isLinks = /^links?$/u;
const isTotal = /^total(?:count|items|results|elements|size|records|hits|number)?$/u;
const countOf = ({ count }: PageFacts): number => count;

/** A document may count pages from a number that its own schema names. */
function raise(value: JsonValue | undefined, minimum: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'number' && isJsonNumber(minimum) ? Math.max(value, Number(minimum)) : value;
}

const limitOf = ({ limit, count }: PageFacts): number => (limit === Infinity ? count : limit);

/** What numbers are called, without separators and in lower case. */
const numbers: readonly (Filling & { readonly pattern: RegExp })[] = [
  {
    pattern:
      /^(?:total(?:count|items|results|elements|size|records|hits|entries|objects|rows|number)?|count|(?:num|number|numberof)(?:results|items|found|matched)|found|hits|(?:result|item|record)s?count)$/u,
    fill: ({ total }) => total,
    needsTotal: true,
  },
  { pattern: /^(?:numberofelements|returned|numberreturned|pageitems|currentcount)$/u, fill: countOf },
  {
    pattern: /^(?:pages|(?:total|num|max)pages?|pagecount|pagetotal|pagestotal|numberofpages)$/u,
    fill: ({ pages }) => pages,
    needsTotal: true,
  },
  {
    pattern: /^last(?:page)?$/u,
    fill: (page) => page.number('last'),
    needsTotal: true,
  },
  { pattern: /^(?:page|currentpage|page(?:number|no|num|index)|current|number)$/u, fill: ({ page }) => page },
  { pattern: /^(?:limit|(?:items|results)?perpage|page(?:size|limit)|size|maxresults)$/u, fill: limitOf },
  {
    pattern: /^(?:offset|skip|startindex|startat|(?:current|page)offset)$/u,
    fill: ({ offset, itemBase }) => (offset === undefined ? undefined : offset + itemBase),
  },
  // Those who name both ends of a page count from 1.
  {
    pattern: /^from$/u,
    fill: ({ offset, count }) => (offset === undefined || count === 0 ? undefined : offset + 1),
  },
  {
    pattern: /^to$/u,
    fill: ({ offset, count }) => (offset === undefined || count === 0 ? undefined : offset + count),
  },
  { pattern: /^next(?:page|offset)?(?:number)?$/u, fill: (page) => page.number('next') },
  { pattern: /^prev(?:ious)?(?:page|offset)?(?:number)?$/u, fill: (page) => page.number('previous') },
  { pattern: /^first(?:page)?$/u, fill: (page) => page.number('first') },
  { pattern: /^(?:next)?cursor$/u, fill: (page) => page.cursor('next') },
];

function numberOf(name: string): Filling | undefined {
  return numbers.find(({ pattern }) => pattern.test(name));
}

/** Numbers as texts, in headers and where the schema says so. */
function numberText(name: string): Filling | undefined {
  const filling = /^(?:from|to|number|found|hits|size|first|last|current)$/u.test(name)
    ? undefined
    : numberOf(name);
  return (
    filling && {
      ...filling,
      fill(page) {
        return toText(filling.fill(page));
      },
    }
  );
}

function flagOf(name: string): Filling | undefined {
  if (/^(?:has)?(?:more|next|nextpage|moreitems|moreresults|moredata|morepages)$|^istruncated$/u.test(name)) {
    return { fill: ({ hasNext }) => hasNext };
  }
  if (/^has(?:prev|previous)(?:page)?$/u.test(name)) return { fill: ({ hasPrevious }) => hasPrevious };
  if (/^(?:is)?(?:last|lastpage|end|done|complete|exhausted)$/u.test(name))
    return { fill: ({ hasNext }) => !hasNext };
  if (/^(?:is)?first(?:page)?$/u.test(name)) return { fill: ({ hasPrevious }) => !hasPrevious };
  return name === 'empty' ? { fill: ({ count }) => count === 0 } : undefined;
}

function relationOf(word: string): PageRelation {
  return word.startsWith('prev') ? 'previous' : word.startsWith('cur') ? 'self' : (word as PageRelation); // `as`: the pattern names the others.
}

/** Whether a text of an envelope is a URL, as far as its schema says; else whatever a cursor parameter takes. */
function formOf({ format, example, description, isLink }: JsonObject): 'absolute' | 'relative' | undefined {
  if (format === 'uri' || format === 'url' || format === 'iri') return 'absolute';
  const text = typeof example === 'string' ? example : '';
  if (/^https?:/u.test(text)) return 'absolute';
  const says = typeof description === 'string' && /\b(?:ur[il]|link)\b/iu.test(description);
  return says || isLink === true || text.startsWith('/') || format === 'uri-reference'
    ? 'relative'
    : undefined;
}

const cursorWords = /^(?:cursor|(?:page)?token|marker|key|startingafter|continuationtoken)$/u;
const ownCursor =
  /^(?:cursor|continuation(?:token)?|continue|pagetoken|scrollid|bookmark|marker|startingafter|after|lastevaluatedkey)$/u;

/** What a text says of a page: a URL, a cursor or an id; undefined where it says nothing of one. */
function textOf(name: string, path: readonly string[], part: JsonObject): Filling | undefined {
  const form = formOf(part);
  const [, word, rest = ''] = /^(next|prev(?:ious)?|first|last|self|current)(.*)$/u.exec(name) ?? [];
  if (/^(?:first|last)id$/u.test(name)) {
    return { fill: ({ ends }) => toText(ends?.[name === 'firstid' ? 0 : 1].id) };
  }
  if (/^(?:end|start)cursor$/u.test(name)) {
    return { fill: (page) => toText(page.endCursor(name === 'endcursor' ? 'last' : 'first')) };
  }
  if (ownCursor.test(name)) return { fill: (page) => toText(page.cursor('next')) };
  if (name === 'before' && path.some((each) => /cursor|paging/iu.test(each))) {
    return { fill: (page) => toText(page.cursor('previous')) };
  }
  if (word === undefined) return undefined;
  const relation = relationOf(word);
  const hasCursor = relation === 'next' || relation === 'previous';
  if (hasCursor && cursorWords.test(rest)) return { fill: (page) => toText(page.cursor(relation)) };
  const isUrl = /^(?:page)?(?:ur[il]|link|href)$/u.test(rest);
  if (!isUrl && !/^(?:page)?$/u.test(rest)) return undefined;
  if (!isUrl && form === undefined && !hasCursor) return undefined;
  const needsTotal = relation === 'last';
  if (isUrl || form !== undefined)
    return { fill: (page) => page.url(relation, form ?? 'relative'), needsTotal };
  // Without a cursor parameter there is nothing else that it could be.
  return {
    fill: (page) =>
      hasCursor && page.takesCursor ? toText(page.cursor(relation)) : page.url(relation, 'relative'),
  };
}

/** A value as a text that stands alone: a string without quotes. */
export function toText(value: JsonValue | undefined): string | undefined {
  return value === undefined || typeof value === 'string' ? value : stringifyJson(value);
}

/** `{"href": …}` of HAL and JSON:API. */
function linkObject(name: string, part: JsonObject): Filling | undefined {
  const { properties } = part;
  const link = isJsonObject(properties) && isJsonObject(properties['href']) ? properties['href'] : undefined;
  const filling = link && textOf(name, [], { ...link, isLink: true });
  const sample = sampleValue(part) ?? {};
  return (
    filling && {
      ...filling,
      fill(page) {
        const href = filling.fill(page);
        return href === undefined ? undefined : nestMember(sample, ['href'], href);
      },
    }
  );
}

/** `[{"rel": "next", "href": …}]` */
function linkArray({ items }: JsonObject): Filling | undefined {
  const properties = isJsonObject(items) ? items['properties'] : undefined;
  if (!isJsonObject(properties) || !isJsonObject(properties['href']) || properties['rel'] === undefined) {
    return undefined;
  }
  const form = formOf(properties['href']) ?? 'relative';
  return { fill: (page) => relations.flatMap((rel) => linkOf(page, rel, form)), needsTotal: true };
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
