import type { DeclaredHeader } from '../../contract/contract.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type JsonSchema, schemaTypes } from '../../schema/walk.ts';
import { memberAt, memberSchema, nestMember } from '../answer/representation.ts';
import { mergeSchema, sampleHeaders, sampleValue } from '../answer/sample-value.ts';
import { plain } from './list-conditions.ts';
import type { PageFacts, PageRelation } from './list-links.ts';

/** What a member of an envelope, or a header, says of a page; undefined where the page has nothing of the kind. */
interface Filling {
  readonly fill: (page: PageFacts) => JsonValue | undefined;
  /** Whether all items have to be counted for it. */
  readonly needsTotal?: boolean;
}

interface Member extends Filling {
  /** The names that lead to it in the body. */
  readonly path: readonly string[];
  /** What stands there where the page has nothing of the kind: nothing, where this is undefined. */
  readonly none: JsonValue | undefined;
}

/** What stands around a list in a body. */
export interface ListEnvelope {
  readonly needsTotal: boolean;
  /** The whole body, with the list in its place. */
  readonly write: (list: JsonValue, page: PageFacts) => JsonValue;
}

/** Envelopes have no members of use that lie deeper. */
const deepest = 4;

/**
 * Prepares what stands around a list: members that are called and typed as one that says something of the page say it,
 * whatever else is required is a sample.
 *
 * @param path - the names that lead to the list
 */
export function prepareEnvelope(schema: JsonSchema, path: readonly string[]): ListEnvelope {
  if (path.length === 0) return { needsTotal: false, write: (list) => list };
  const members = findMembers(schema, path);
  let base: JsonValue = sampleValue(schema) ?? {};
  for (const { path: place } of members) {
    const around = place.slice(0, -1);
    if (memberAt(base, around) === undefined) {
      base = nestMember(base, around, sampleValue(memberSchema(schema, around)) ?? {});
    }
    base = withoutMember(base, place);
  }
  return {
    needsTotal: members.some(({ needsTotal }) => needsTotal === true),
    write(list, page) {
      let body: JsonValue = base;
      for (const { path: place, fill, none } of members) {
        const value = fill(page) ?? none;
        if (value !== undefined) body = nestMember(body, place, value);
      }
      return nestMember(body, path, list);
    },
  };
}

function withoutMember(value: JsonValue, [name = '', ...rest]: readonly string[]): JsonValue {
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  if (rest.length > 0) return nestMember(value, [name], withoutMember(value[name] ?? null, rest));
  return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
}

function findMembers(whole: JsonSchema, list: readonly string[]): readonly Member[] {
  const root = isJsonObject(whole) ? whole : {};

  function visit(schema: JsonValue, path: readonly string[]): readonly Member[] {
    if (!isJsonObject(schema) || path.length > deepest) return [];
    const { properties, required } = mergeSchema(root, schema);
    if (!isJsonObject(properties)) return [];
    const names = Object.keys(properties);
    return Object.entries(properties).flatMap(([name, property]) => {
      const place = [...path, name];
      const leads = place.every((each, index) => each === list[index]);
      if (leads && place.length === list.length) return [];
      const part = isJsonObject(property) ? mergeSchema(root, property) : {};
      const types = schemaTypes(isJsonObject(property) ? property : true, root);
      const filling = leads ? undefined : fillingOf({ name, path, part, types, siblings: names });
      if (filling === undefined) return visit(property, place);
      const isRequired = Array.isArray(required) && required.includes(name);
      const empty =
        types.has('string') && part['format'] === undefined ? '' : sampleValue({ ...root, ...part });
      const none = types.has('null') ? null : isRequired ? empty : undefined;
      return [{ ...filling, path: place, none }];
    });
  }

  return visit(whole, []);
}

/** A member of an envelope, or a header. */
interface Place {
  readonly name: string;
  /** The names of the members around it. */
  readonly path: readonly string[];
  readonly siblings: readonly string[];
  /** Its schema. */
  readonly part: JsonObject;
  readonly types: ReadonlySet<string>;
}

function fillingOf(place: Place): Filling | undefined {
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

const toText = (value: JsonValue | undefined): string | undefined =>
  value === undefined || typeof value === 'string' ? value : stringifyJson(value);

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

const relations = ['self', 'first', 'previous', 'next', 'last'] as const;

function linkOf(
  page: PageFacts,
  relation: PageRelation,
  form: 'absolute' | 'relative',
): readonly JsonObject[] {
  const href = page.url(relation, form);
  return href === undefined ? [] : [{ rel: relation === 'previous' ? 'prev' : relation, href }];
}

/** The header fields of a list: names and values in turn. */
export interface ListFields {
  readonly needsTotal: boolean;
  readonly write: (page: PageFacts) => readonly string[];
}

/**
 * Prepares the declared header fields of a list: `Link` (RFC 8288), `Content-Range`, and those that are called as one
 * that says something of the page, `X-Total-Count`, `X-Next-Page`; whatever else is required is a sample.
 */
export function prepareFields(declared: readonly DeclaredHeader[]): ListFields {
  const fields = declared.flatMap((header) => {
    const filling = fieldOf(header);
    return filling === undefined ? [] : [{ header, filling }];
  });
  const names = fields.map(({ header }) => header.name.toLowerCase());
  const samples = sampleHeaders(declared, names);
  return {
    needsTotal: fields.some(({ filling }) => filling.needsTotal === true),
    write(page) {
      const own = fields.flatMap(({ header: { name, required }, filling }) => {
        const value = toText(filling.fill(page));
        if (value === undefined) return required ? [name, ''] : [];
        return [name, value];
      });
      return [...samples, ...own];
    },
  };
}

function fieldOf({ name, schema }: DeclaredHeader): Filling | undefined {
  const field = name.toLowerCase();
  if (field === 'link') return { fill: writeLink, needsTotal: true };
  if (field === 'content-range') return { fill: writeRange, needsTotal: true };
  const whole = schema?.schema ?? true;
  const part = mergeSchema(isJsonObject(whole) ? whole : {}, whole);
  const types = schemaTypes(whole);
  const own = field.replace(/^x-/u, '').replace(/^(?:pagination|paging)-/u, '');
  return fillingOf({
    name: own,
    path: [],
    siblings: [],
    part,
    types: types.size === 0 ? new Set(['string']) : types,
  });
}

function writeLink(page: PageFacts): string | undefined {
  const links = relations
    .filter((relation) => relation !== 'self')
    .flatMap((relation) => {
      const url = page.url(relation, 'absolute');
      return url === undefined ? [] : [`<${url}>; rel="${relation === 'previous' ? 'prev' : relation}"`];
    });
  return links.length === 0 ? undefined : links.join(', ');
}

/** RFC 9110 §14.4, with a unit of its own. */
function writeRange({ offset, count, total }: PageFacts): string | undefined {
  const size = total === undefined ? '*' : String(total);
  if (count === 0) return `items */${size}`;
  return offset === undefined ? undefined : `items ${offset}-${offset + count - 1}/${size}`;
}
