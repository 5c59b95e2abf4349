import type { Operation } from '../../contract/contract.ts';
import {
  firstNumber,
  fitsRole,
  type ListParameterRole,
  ownNames,
  sharedNames,
} from '../../contract/list-parameters.ts';
import type { Parameter, ParameterSource } from '../../contract/read-parameters.ts';
import { plain, splitWords } from '../../contract/resource-key.ts';
import { memberAt } from '../../json/pointer.ts';
import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Answers } from '../../policy/question.ts';
import { schemaProperties } from '../../schema/properties.ts';
import { schemaTypes } from '../../schema/walk.ts';
import { memberSchema } from '../answer/representation.ts';
import { foldSchema } from '../../schema/merge.ts';
import { cursorSpeller } from './list-cursor.ts';
import {
  type Conditions,
  createSearch,
  type ItemTest,
  type ListedItem,
  type SortKey,
} from './list-conditions.ts';

/** What a request asks of a list, by the parameters that the operation declares. */
export interface ListQuery {
  /** How many items a page has at most; Infinity where nothing bounds it. */
  readonly limit: number;
  readonly start: ListStart;
  /** What each item must pass. */
  readonly tests: readonly ItemTest[];
  readonly sort: readonly SortKey[];
  /** Whether items that came later stand first, as far as `sort` does not say otherwise. */
  readonly isNewestFirst: boolean;
  /** What it asks to sort by, and no item has. */
  readonly unsortable: { readonly parameter: string; readonly text: string } | undefined;
}

/** Where a page begins, or, of one before a cursor, ends. */
export type ListStart =
  /** After so many items; Infinity past the last. `by` is what the request said it by. */
  | { readonly kind: 'offset'; readonly by: 'offset' | 'page' | undefined; readonly offset: number }
  /** At a cursor or the id of an item, which this parameter gave. */
  | {
      readonly kind: 'after' | 'before';
      readonly parameter: string;
      readonly value: JsonValue;
      readonly isDeclared: boolean;
    };

/** A parameter that pages are chosen by. */
export interface PagingParameter {
  /** How a query names it: `page[number]`; undefined where it is no member by itself. */
  readonly member: string | undefined;
  /** The number of the first page, or of the first item. */
  readonly base: number;
  /** What a cursor is: an opaque text, the id of an item, or a number. */
  readonly cursor: 'text' | 'id' | 'number';
  /** Writes a cursor that is a text as the schema accepts it; undefined for one that it does not accept. */
  readonly spell: (cursor: string) => string | undefined;
  /** The largest number that is accepted. */
  readonly maximum: number;
  /** False for the one that links lead on by where the document has none. */
  readonly isDeclared: boolean;
}

type PagingRole = Exclude<ListParameterRole, 'sort' | 'direction' | 'search'>;

/** The parameters that pages are chosen by; several may do the same. */
export type Paging = Readonly<Record<PagingRole, readonly PagingParameter[]>>;

interface ListSettings {
  readonly mostShown: number | undefined;
  readonly policy: Pick<
    Answers,
    'list-order' | 'list-default-limit' | 'limit-above-maximum' | 'unknown-query-parameter'
  >;
}

/** The orders that a policy may give lists that are not asked for another. */
const orders: Readonly<Record<Answers['list-order'], Pick<ListQuery, 'sort' | 'isNewestFirst'>>> = {
  creation: { sort: [], isNewestFirst: false },
  'newest-first': { sort: [], isNewestFirst: true },
  key: { sort: [{ path: 'id', isDown: false }], isNewestFirst: false },
  any: { sort: [{ path: 'scattered', isDown: false }], isNewestFirst: false },
};

/** What is about how items are shown, whatever their properties are called. */
const views = /^(?:fields?|include|expand|embed|select|projection)$/u;

/** What names a property, perhaps with a direction: `-name`, `name:desc`. */
const sortName = /^[-+]?[\w.$@-]{1,100}(?:[: |](?:asc|desc)\w*)?$/iu;
/** Orders that are no property's. */
const sortWords =
  /^[-+]?(?:asc|desc|none|default|natural|random|position|order|best|relevan|score|rank|popular|trend|hot|top)/iu;

/** So many different texts are searched for; further ones are ignored. */
const mostSearched = 20;

const idNames = /(?:id|starting?after|ending?before|marker|lastkey)$/u;

/** One value that a query may carry: a parameter, or a property of one that is an object. */
interface QueryValue {
  readonly parameter: string;
  readonly words: readonly string[];
  /** Whether it says of itself that it filters: `filter[size]`. */
  readonly isFilter: boolean;
  readonly member: string | undefined;
  readonly schema: JsonObject;
  readonly types: ReadonlySet<string>;
  readonly read: (source: ParameterSource) => JsonValue | undefined;
}

/**
 * Prepares the reading of what a request asks of a list. A parameter does what its name and type say; one that items have
 * a property of the name of is a filter, unless pages need it.
 *
 * @param settings.mostShown - how many items the response can hold at most
 */
export function prepareListQuery(
  parameters: Operation['parameters'],
  conditions: Conditions,
  { mostShown, policy }: ListSettings,
): { readonly paging: Paging; readonly read: (source: ParameterSource) => ListQuery } {
  const declared = parameters.filter((parameter) => parameter.in === 'query');
  const named = declared.flatMap((parameter) => valuesOf(parameter));
  const roles = new Map(named.map((value) => [value, roleOf(value, conditions)]));
  const leadsOn = [...roles.values()].some(
    (role) => role === 'offset' || role === 'page' || role === 'after',
  );
  // Where pages lead on and nothing else says how long they are, `count` does, though items have a count too.
  const length = [...roles.values()].includes('limit') || !leadsOn ? undefined : named.find(mayBeLimit);
  if (length !== undefined) roles.set(length, 'limit');
  const isCut = mostShown !== undefined || [...roles.values()].includes('limit');
  const isTaken =
    policy['unknown-query-parameter'] === 'refuse' ||
    named.some(({ member }) => member === linkCursor.member);
  const values = isCut && !leadsOn && !isTaken ? [...named, linkCursor] : named;
  if (values !== named) roles.set(linkCursor, 'after');
  const having = (role: ListParameterRole): readonly QueryValue[] =>
    values.filter((value) => roles.get(value) === role);
  const paging = Object.fromEntries(
    (['limit', 'offset', 'page', 'after', 'before'] as const).map((role) => [
      role,
      having(role).map((value) => toPagingParameter(value)),
    ]),
  ) as unknown as Paging; // `as`: fromEntries forgets the names.
  const usual = policy['list-default-limit'];
  const usualLimit = usual === 'none' ? Infinity : usual;
  const maxima = having('limit').map(({ schema }) => schema['maximum']);
  // The check of parameters refuses what is above it, unless the policy says otherwise.
  const largestLimit = Math.min(...maxima.filter((maximum) => typeof maximum === 'number'));

  /** What a request says for a role, as a number, or else the document; `base` is the number of the first. */
  function numberFor(
    role: PagingRole,
    source: ParameterSource,
  ): { readonly count: number; readonly base: number; readonly isSent: boolean } | undefined {
    const all = having(role);
    for (const isSent of [true, false]) {
      for (const value of all) {
        const count = toCount(isSent ? value.read(source) : value.schema['default']);
        if (count !== undefined) return { count, base: baseOf(value), isSent };
      }
    }
    return undefined;
  }

  function readStart(source: ParameterSource, limit: number): ListStart {
    for (const kind of ['after', 'before'] as const) {
      for (const cursor of having(kind)) {
        const { parameter } = cursor;
        const value = cursor.read(source);
        if (value === undefined || value === null || value === '') continue;
        // A time tells nothing of a page.
        if (typeof value === 'string' && /^\d{4}-\d\d-\d\d/u.test(value)) continue;
        return { kind, parameter, value, isDeclared: cursor !== linkCursor };
      }
    }
    const [offset, page] = [numberFor('offset', source), numberFor('page', source)];
    const skipped = offset === undefined ? 0 : Math.max(0, offset.count - offset.base);
    if (offset?.isSent === true || page === undefined) {
      return { kind: 'offset', by: offset?.isSent === true ? 'offset' : undefined, offset: skipped };
    }
    const pages = Math.max(0, page.count - page.base);
    return { kind: 'offset', by: page.isSent ? 'page' : undefined, offset: pages === 0 ? 0 : pages * limit };
  }

  const readTests = prepareTests(declared, roles, conditions);
  const sort = prepareSort(having('sort'), having('direction'), conditions);
  return {
    paging,
    read(source) {
      const asked = numberFor('limit', source)?.count;
      const wanted = asked === undefined ? usualLimit : Math.min(asked, largestLimit);
      const limit = Math.min(wanted, mostShown ?? Infinity);
      const start = readStart(source, limit);
      const { sort: keys, isNewestFirst } = sort.read(source) ?? orders[policy['list-order']];
      const unsortable = sort.findUnsortable(source);
      return { limit, start, tests: readTests(source), sort: keys, isNewestFirst, unsortable };
    },
  };
}

/** Prepares the conditions that a request sets: searches and filters. */
function prepareTests(
  declared: Operation['parameters'],
  roles: ReadonlyMap<QueryValue, ListParameterRole | undefined>,
  conditions: Conditions,
): (source: ParameterSource) => readonly ItemTest[] {
  const searches = [...roles].flatMap(([value, role]) => (role === 'search' ? [value] : []));
  const filters = [...roles].flatMap(([value, role]) => {
    const isFree = role === undefined && !views.test(value.words.join(''));
    const test = isFree ? conditions.findTest(value.words) : undefined;
    return test === undefined ? [] : [{ value, test }];
  });
  const objects = declared
    .filter(({ schema }) => schemaTypes(schema?.schema ?? true).has('object'))
    .map(({ name, read }) => ({ words: readName(name).words, read }));
  const known = new Set(Array.from(roles.keys(), ({ words }) => words.join(' ')));
  return (source) => {
    const searched = new Set(searches.flatMap(({ read }) => toTexts(read(source))));
    const texts = [...searched].filter((text) => text !== '').slice(0, mostSearched);
    const wantedOnes = filters.flatMap(({ value, test }) => {
      const sent = value.read(source);
      const wanted = sent ?? value.schema['default'];
      if (wanted === undefined || conditions.isEverything(value.words, wanted)) return [];
      const passes = test(wanted);
      // Nobody asked for what a default says: it hides no item of which that is unknown.
      return [
        sent === undefined
          ? (item: ListedItem) => passes(item) || !conditions.has(value.words, item)
          : passes,
      ];
    });
    // An object of filters need not declare their names.
    const further = objects.flatMap(({ words, read }) => {
      const [sent] = read(source);
      return Object.entries(isJsonObject(sent) ? sent : {}).flatMap(([name, wanted]) => {
        const all = [...words, ...splitWords(name)];
        const test = known.has(all.join(' ')) ? undefined : conditions.findTest(all);
        return test === undefined ? [] : [test(wanted)];
      });
    });
    return [...(texts.length === 0 ? [] : [createSearch(texts)]), ...wantedOnes, ...further];
  };
}

/** Prepares the order that a request asks for. */
function prepareSort(
  sorts: readonly QueryValue[],
  directions: readonly QueryValue[],
  conditions: Conditions,
): {
  /** Undefined where a request asks for none. */
  readonly read: (source: ParameterSource) => Pick<ListQuery, 'sort' | 'isNewestFirst'> | undefined;
  /** What a request asks to sort by that is no property, where the document does not name it. */
  readonly findUnsortable: (source: ParameterSource) => ListQuery['unsortable'];
} {
  // `order` says the direction where something else says what to sort by.
  const order = sorts.length > 1 ? sorts.find(({ words }) => words.join('') === 'order') : undefined;
  return {
    read(source) {
      const isDown = [...directions, ...(order === undefined ? [] : [order])].some((value) =>
        leadsDown(wantedOf(value, source)),
      );
      const texts = sorts
        .filter((value) => value !== order)
        .flatMap((value) => toTexts(wantedOf(value, source)))
        .flatMap((text) => text.split(','));
      const found = texts.flatMap((text, index) => {
        // `sort=name,desc`
        const next = /^(?:asc|desc)$/iu.exec(texts[index + 1] ?? '')?.[0];
        return conditions.findSort(next === undefined ? text : `${text}:${next}`, isDown) ?? [];
      });
      const times = found.filter((key) => typeof key === 'string');
      if (found.length === 0) return undefined;
      const keys = new Map<SortKey['path'], SortKey>();
      for (const key of found) {
        // A property that came before decides nothing more.
        if (typeof key !== 'string' && !keys.has(key.path)) keys.set(key.path, key);
      }
      return { sort: [...keys.values()], isNewestFirst: times[0] === 'newest' };
    },
    findUnsortable(source) {
      for (const value of sorts) {
        const { schema, parameter } = value;
        const { items } = schema;
        const isNamed = [schema, isJsonObject(items) ? items : {}].some(
          (each) => 'enum' in each || 'const' in each || 'pattern' in each,
        );
        if (isNamed || value === order || !conditions.hasNames) continue;
        const text = toTexts(value.read(source))
          .filter((each) => each !== schema['default'] && each !== schema['example'])
          .flatMap((each) => each.split(','))
          .map((each) => each.trim())
          .find((each) => sortName.test(each) && !sortWords.test(each) && !conditions.findSort(each, false));
        if (text !== undefined) return { parameter, text };
      }
      return undefined;
    },
  };
}

/** What links lead on by where a list is cut, as the petstore's `x-next`, and the document has no parameter for it. */
const linkCursor: QueryValue = {
  parameter: 'cursor',
  words: ['cursor'],
  isFilter: false,
  member: 'cursor',
  schema: {},
  types: new Set(['string']),
  read: ({ query }) => query.find(([name]) => name === 'cursor')?.[1],
};

function valuesOf(parameter: Parameter): readonly QueryValue[] {
  const { name, style, explode, mediaType } = parameter;
  const whole = parameter.schema?.schema ?? true;
  const { words, isFilter } = readName(name);
  const types = schemaTypes(whole);
  const properties = [...schemaProperties(whole).keys()];
  const isObject = types.has('object') || (types.size === 0 && properties.length > 0);
  const readWhole = (source: ParameterSource): JsonValue | undefined => parameter.read(source)[0];
  if (!isObject) {
    const member = mediaType === undefined ? name : undefined;
    return [{ parameter: name, words, isFilter, member, schema: foldSchema(whole), types, read: readWhole }];
  }
  // `page[size]` need not be declared where `page` is any object.
  const inside = properties.length === 0 && plain(name) === 'page' ? pageMembers : properties;
  return inside.map((property) => {
    const own = memberSchema(whole, [property]);
    const spread = explode && style === 'form' ? property : undefined;
    return {
      parameter: name,
      words: [...words, ...splitWords(property)],
      isFilter,
      member: style === 'deepObject' ? `${name}[${property}]` : spread,
      schema: foldSchema(own),
      types: schemaTypes(own),
      read: (source) => memberAt(readWhole(source) ?? null, [property]),
    };
  });
}

const pageMembers = ['number', 'size', 'offset', 'limit', 'cursor', 'after', 'before'];

/** The words of a name, without those that say that it is a filter, or nothing at all: `params`. */
function readName(name: string): Pick<QueryValue, 'words' | 'isFilter'> {
  const [first = '', ...others] = splitWords(name);
  const isFilter = /^(?:filters?|where)$/u.test(first);
  const isWrapper = /^(?:params?|options|pagination|paging|pager)$/u.test(first);
  return { words: isFilter || isWrapper ? others : [first, ...others], isFilter };
}

function roleOf(value: QueryValue, conditions: Conditions): ListParameterRole | undefined {
  const { types, schema, words, isFilter } = value;
  if (isFilter) return undefined;
  const name = words.join('');
  const isText = types.size === 0 || types.has('string');
  if (types.has('boolean') && !isText)
    return /^(?:desc|descending|reverse)$/u.test(name) ? 'direction' : undefined;
  const list = schema['enum'];
  const isOrder = (each: JsonValue): boolean =>
    typeof each === 'string' && /^(?:asc|desc)(?:ending)?$/iu.test(each);
  if (Array.isArray(list) && list.every(isOrder)) return 'direction';
  const fits = (role: ListParameterRole): boolean => fitsRole(role, name, schema);
  // `as`: a table has its keys, and Object.keys gives them as mere texts.
  const all = Object.keys(ownNames) as ListParameterRole[];
  const own = all.find((role) => ownNames[role].test(name) && fits(role));
  if (own !== undefined || conditions.names(words)) return own;
  return all.find((role) => sharedNames[role]?.test(name) === true && fits(role));
}

function mayBeLimit({ words, schema, isFilter }: QueryValue): boolean {
  const name = words.join('');
  return !isFilter && sharedNames.limit?.test(name) === true && fitsRole('limit', name, schema);
}

function baseOf({ words, schema }: QueryValue): 0 | 1 {
  const name = words.join('');
  const isPage = ownNames.page.test(name) || sharedNames.page?.test(name) === true;
  return firstNumber(schema, isPage ? 'page' : 'offset');
}

function toPagingParameter(value: QueryValue): PagingParameter {
  const { words, member, schema, types } = value;
  const name = words.join('');
  const cursor = types.size === 0 || types.has('string') ? 'text' : 'number';
  const { maximum } = schema;
  return {
    member,
    base: baseOf(value),
    cursor: idNames.test(name) ? 'id' : cursor,
    spell: cursorSpeller(schema),
    maximum: typeof maximum === 'number' ? maximum : Infinity,
    isDeclared: value !== linkCursor,
  };
}

/** The value that a request gives, or else the document. */
function wantedOf({ read, schema }: QueryValue, source: ParameterSource): JsonValue | undefined {
  return read(source) ?? schema['default'];
}

const leadsDown = (value: JsonValue | undefined): boolean =>
  typeof value === 'boolean' ? value : /^(?:desc|-)/iu.test(toTexts(value)[0] ?? '');

function toTexts(value: JsonValue | undefined): readonly string[] {
  return [value].flat().filter((each) => typeof each === 'string');
}

function toCount(value: JsonValue | undefined): number | undefined {
  const number =
    isJsonNumber(value) || (typeof value === 'string' && /^\d+$/u.test(value)) ? Number(String(value)) : NaN;
  return number >= 0 ? Math.min(Math.floor(number), Number.MAX_SAFE_INTEGER) : undefined;
}
