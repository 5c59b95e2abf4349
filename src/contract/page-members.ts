import { isJsonObject, type JsonObject } from '../json/value.ts';
import { plain } from './resource-key.ts';

/** The relation of another page to the current one (RFC 8288, IANA link relations). */
export type PageRelation = 'next' | 'previous' | 'first' | 'last' | 'self';

/** The meaning of an envelope member or a header for the pages of a list. */
export type PageMember =
  | { readonly kind: 'total' | 'count' | 'pages' | 'page' | 'limit' | 'offset' }
  /** The number of the first or last item of the page, counted from 1. */
  | { readonly kind: 'position'; readonly end: 'first' | 'last' }
  /** The number of another page, or the offset of its first item. */
  | { readonly kind: 'number'; readonly relation: Exclude<PageRelation, 'self'> }
  /** The value of the cursor parameter for another page. */
  | { readonly kind: 'cursor'; readonly relation: 'next' | 'previous' }
  /** The cursor or the id of the first or last item of the page, even if no page follows. */
  | { readonly kind: 'end-cursor' | 'end-id'; readonly end: 'first' | 'last' }
  /** A URL; if `form` is undefined, it may be a cursor instead. */
  | {
      readonly kind: 'url';
      readonly relation: PageRelation;
      readonly form: 'absolute' | 'relative' | undefined;
      readonly mayBeCursor: boolean;
    }
  /** `{"href": …}` of HAL and JSON:API. */
  | { readonly kind: 'link'; readonly link: Extract<PageMember, { kind: 'url' }> }
  /** `[{"rel": "next", "href": …}]` */
  | { readonly kind: 'links'; readonly form: 'absolute' | 'relative' }
  | {
      readonly kind: 'flag';
      readonly says: 'has-next' | 'has-previous' | 'is-last' | 'is-first' | 'is-empty';
    };

/** A member of an envelope, or a header. */
export interface PageMemberPlace {
  readonly name: string;
  /** The names of the enclosing members. */
  readonly path: readonly string[];
  readonly siblings: readonly string[];
  /** Its schema. */
  readonly part: JsonObject;
  readonly types: ReadonlySet<string>;
}

const isLinks = /^links?$/u;
const isTotal = /^total(?:count|items|results|elements|size|records|hits|number)?$/u;

/** Returns the meaning of an envelope member or a header for pages, by name and type; undefined if it has none. */
export function pageMemberOf({ types, part, name, path, siblings }: PageMemberPlace): PageMember | undefined {
  const own = plain(name.replace(/^@odata\./u, ''));
  if (types.has('boolean')) return flagOf(own);
  const isCountOfPage =
    own === 'count' && siblings.some((each) => each !== name && isTotal.test(plain(each)));
  if (types.has('integer') || types.has('number')) return isCountOfPage ? { kind: 'count' } : numberOf(own);
  const isLink = isLinks.test(plain(path.at(-1) ?? ''));
  if (types.has('string')) return textOf(own, path, { ...part, isLink }) ?? numberText(own);
  if (types.has('object')) return linkObject(own, part);
  return types.has('array') && isLinks.test(own) ? linkArray(part) : undefined;
}

/** The names of numbers, without separators and in lower case. */
const numbers: readonly (readonly [RegExp, PageMember])[] = [
  [
    /^(?:total(?:count|items|results|elements|size|records|hits|entries|objects|rows|number)?|count|(?:num|number|numberof)(?:results|items|found|matched)|found|hits|(?:result|item|record)s?count)$/u,
    { kind: 'total' },
  ],
  [/^(?:numberofelements|returned|numberreturned|pageitems|currentcount)$/u, { kind: 'count' }],
  [/^(?:pages|(?:total|num|max)pages?|pagecount|pagetotal|pagestotal|numberofpages)$/u, { kind: 'pages' }],
  [/^last(?:page)?$/u, { kind: 'number', relation: 'last' }],
  [/^(?:page|currentpage|page(?:number|no|num|index)|current|number)$/u, { kind: 'page' }],
  [/^(?:limit|(?:items|results)?perpage|page(?:size|limit)|size|maxresults)$/u, { kind: 'limit' }],
  [/^(?:offset|skip|startindex|startat|(?:current|page)offset)$/u, { kind: 'offset' }],
  // APIs that name both ends of a page count from 1.
  [/^from$/u, { kind: 'position', end: 'first' }],
  [/^to$/u, { kind: 'position', end: 'last' }],
  [/^next(?:page|offset)?(?:number)?$/u, { kind: 'number', relation: 'next' }],
  [/^prev(?:ious)?(?:page|offset)?(?:number)?$/u, { kind: 'number', relation: 'previous' }],
  [/^first(?:page)?$/u, { kind: 'number', relation: 'first' }],
  [/^(?:next)?cursor$/u, { kind: 'cursor', relation: 'next' }],
];

function numberOf(name: string): PageMember | undefined {
  return numbers.find(([pattern]) => pattern.test(name))?.[1];
}

/** Handles numbers in texts: in headers, and if the schema declares a string. */
function numberText(name: string): PageMember | undefined {
  return /^(?:from|to|number|found|hits|size|first|last|current)$/u.test(name) ? undefined : numberOf(name);
}

function flagOf(name: string): PageMember | undefined {
  if (/^(?:has)?(?:more|next|nextpage|moreitems|moreresults|moredata|morepages)$|^istruncated$/u.test(name)) {
    return { kind: 'flag', says: 'has-next' };
  }
  if (/^has(?:prev|previous)(?:page)?$/u.test(name)) return { kind: 'flag', says: 'has-previous' };
  if (/^(?:is)?(?:last|lastpage|end|done|complete|exhausted)$/u.test(name))
    return { kind: 'flag', says: 'is-last' };
  if (/^(?:is)?first(?:page)?$/u.test(name)) return { kind: 'flag', says: 'is-first' };
  return name === 'empty' ? { kind: 'flag', says: 'is-empty' } : undefined;
}

function relationOf(word: string): PageRelation {
  if (word.startsWith('prev')) return 'previous';
  return word.startsWith('cur') ? 'self' : (word as PageRelation); // `as`: the pattern names the others.
}

/** Returns the form of a URL in an envelope, as declared by its schema; undefined if it may be a cursor. */
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

/** Returns the meaning of a text for pages: a URL, a cursor or an id; undefined if it has none. */
function textOf(
  name: string,
  path: readonly string[],
  part: JsonObject,
): Exclude<PageMember, { kind: 'link' }> | undefined {
  const form = formOf(part);
  const [, word, rest = ''] = /^(next|prev(?:ious)?|first|last|self|current)(.*)$/u.exec(name) ?? [];
  if (/^(?:first|last)id$/u.test(name)) {
    return { kind: 'end-id', end: name === 'firstid' ? 'first' : 'last' };
  }
  if (/^(?:end|start)cursor$/u.test(name)) {
    return { kind: 'end-cursor', end: name === 'endcursor' ? 'last' : 'first' };
  }
  if (ownCursor.test(name)) return { kind: 'cursor', relation: 'next' };
  if (name === 'before' && path.some((each) => /cursor|paging/iu.test(each))) {
    return { kind: 'cursor', relation: 'previous' };
  }
  if (word === undefined) return undefined;
  const relation = relationOf(word);
  const hasCursor = relation === 'next' || relation === 'previous';
  if (hasCursor && cursorWords.test(rest)) return { kind: 'cursor', relation };
  const isUrl = /^(?:page)?(?:ur[il]|link|href)$/u.test(rest);
  if (!isUrl && !/^(?:page)?$/u.test(rest)) return undefined;
  if (!isUrl && form === undefined && !hasCursor) return undefined;
  const mayBeCursor = !isUrl && form === undefined;
  return { kind: 'url', relation, form, mayBeCursor };
}

function linkObject(name: string, part: JsonObject): PageMember | undefined {
  const { properties } = part;
  const schema =
    isJsonObject(properties) && isJsonObject(properties['href']) ? properties['href'] : undefined;
  const link = schema && textOf(name, [], { ...schema, isLink: true });
  return link?.kind === 'url' ? { kind: 'link', link } : undefined;
}

function linkArray({ items }: JsonObject): PageMember | undefined {
  const properties = isJsonObject(items) ? items['properties'] : undefined;
  if (!isJsonObject(properties) || !isJsonObject(properties['href']) || properties['rel'] === undefined) {
    return undefined;
  }
  return { kind: 'links', form: formOf(properties['href']) ?? 'relative' };
}
