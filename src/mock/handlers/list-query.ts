import type { Operation } from '../../contract/contract.ts';
import {
  firstNumber,
  fitsRole,
  type ListParameterRole,
  listTextFilters,
  ownNames,
  sharedNames,
} from '../../contract/list-parameters.ts';
import type { Parameter, ParameterSource } from '../../contract/read-parameters.ts';
import { plain, splitWords } from '../../contract/resource-key.ts';
import { memberAt } from '../../json/pointer.ts';
import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { BehaviourValues } from '../../policy/behaviour.ts';
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

/** The page, filters and order that a request selects by the declared parameters. */
export interface ListQuery {
  /** The maximum number of items on a page; Infinity if it is unlimited. */
  readonly limit: number;
  readonly start: ListStart;
  /** The tests that each item must pass. */
  readonly tests: readonly ItemTest[];
  readonly sort: readonly SortKey[];
  /** Whether newer items come first, unless `sort` decides. */
  readonly isNewestFirst: boolean;
  /** The property to sort by that no item has. */
  readonly unsortable: { readonly parameter: string; readonly text: string } | undefined;
}

/** The start of a page; before a cursor, its end. */
export type ListStart =
  /** After this number of items; Infinity past the last. `by` is the kind of parameter in the request. */
  | { readonly kind: 'offset'; readonly by: 'offset' | 'page' | undefined; readonly offset: number }
  /** At a cursor or the id of an item, from this parameter. */
  | {
      readonly kind: 'after' | 'before';
      readonly parameter: string;
      readonly value: JsonValue;
      readonly isDeclared: boolean;
    };

/** A parameter that selects pages. */
export interface PagingParameter {
  /** Its name in a query: `page[number]`; undefined if it is not a separate member. */
  readonly member: string | undefined;
  /** The number of the first page, or of the first item. */
  readonly base: number;
  /** The kind of cursor: an opaque text, the id of an item, or a number. */
  readonly cursor: 'text' | 'id' | 'number';
  /** Writes a text cursor as the schema accepts it; undefined if the schema rejects it. */
  readonly spell: (cursor: string) => string | undefined;
  /** The largest number that is accepted. */
  readonly maximum: number;
  /** False for the parameter that links use if the document declares none. */
  readonly isDeclared: boolean;
}

type PagingRole = Exclude<ListParameterRole, 'sort' | 'direction' | 'search'>;

/** The parameters that select pages; several may have the same role. */
export type Paging = Readonly<Record<PagingRole, readonly PagingParameter[]>>;

interface ListSettings {
  readonly mostShown: number | undefined;
  readonly policy: BehaviourValues;
}

/** The default orders of lists, by policy value. */
const orders: Readonly<Record<BehaviourValues['list-order'], Pick<ListQuery, 'sort' | 'isNewestFirst'>>> = {
  creation: { sort: [], isNewestFirst: false },
  'newest-first': { sort: [], isNewestFirst: true },
  key: { sort: [{ path: 'id', isDown: false }], isNewestFirst: false },
  any: { sort: [{ path: 'scattered', isDown: false }], isNewestFirst: false },
};

/** Names of parameters that select the representation of items, even if a property has the same name. */
const views = /^(?:fields?|include|expand|embed|select|projection)$/u;

/** The name of a property, optionally with a direction: `-name`, `name:desc`. */
const sortName = /^[-+]?[\w.$@-]{1,100}(?:[: |](?:asc|desc)\w*)?$/iu;
/** Orders that do not name a property. */
const sortWords =
  /^[-+]?(?:asc|desc|none|default|natural|random|position|order|best|relevan|score|rank|popular|trend|hot|top)/iu;

/** The maximum number of different search texts; others are ignored. */
const mostSearched = 20;

const idNames = /(?:id|starting?after|ending?before|marker|lastkey)$/u;

/** A value in a query: a parameter, or a property of an object parameter. */
interface QueryValue {
  readonly parameter: string;
  readonly words: readonly string[];
  /** Whether its name marks it as a filter: `filter[size]`. */
  readonly isFilter: boolean;
  readonly member: string | undefined;
  readonly schema: JsonObject;
  readonly types: ReadonlySet<string>;
  readonly read: (source: ParameterSource) => JsonValue | undefined;
}

/**
 * Prepares the parsing of list requests. The name and type of a parameter decide its role. A parameter that is named
 * like a property of the items is a filter, unless it is needed for pages.
 *
 * @param settings.mostShown - the maximum number of items that the response accepts
 */
export function prepareListQuery(
  operation: Operation,
  conditions: Conditions,
  { mostShown, policy }: ListSettings,
): { readonly paging: Paging; readonly read: (source: ParameterSource) => ListQuery } {
  const declared = operation.parameters.filter((parameter) => parameter.in === 'query');
  const named = declared.flatMap((parameter) => valuesOf(parameter));
  const roles = new Map(named.map((value) => [value, roleOf(value, conditions)]));
  const leadsOn = [...roles.values()].some(
    (role) => role === 'offset' || role === 'page' || role === 'after',
  );
  // If pages can be selected but no other parameter sets their length, `count` does, even if items have a count.
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
  ) as unknown as Paging; // `as`: fromEntries loses the names.
  const usual = policy['list-default-limit'];
  const usualLimit = usual === 'none' ? Infinity : usual;
  const maxima = having('limit').map(({ schema }) => schema['maximum']);
  // The parameter check rejects larger values, unless the policy differs.
  const largestLimit = Math.min(...maxima.filter((maximum) => typeof maximum === 'number'));

  /** Returns the number for a role from the request, or else from the document; `base` is the number of the first. */
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
        // A time does not select a page.
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

  const textFilters = listTextFilters(operation).map(({ name }) => name);
  const readTests = prepareTests(declared, roles, {
    conditions,
    fields: policy['search-fields'],
    matchOf: ({ parameter }) => (textFilters.includes(parameter) ? policy['filter-match'] : 'exact'),
  });
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

/** Prepares the searches and filters of a request. */
function prepareTests(
  declared: Operation['parameters'],
  roles: ReadonlyMap<QueryValue, ListParameterRole | undefined>,
  {
    conditions,
    fields,
    matchOf,
  }: {
    readonly conditions: Conditions;
    readonly fields: BehaviourValues['search-fields'];
    readonly matchOf: (value: QueryValue) => BehaviourValues['filter-match'];
  },
): (source: ParameterSource) => readonly ItemTest[] {
  const searches = [...roles].flatMap(([value, role]) => (role === 'search' ? [value] : []));
  const filters = [...roles].flatMap(([value, role]) => {
    const isFree = role === undefined && !views.test(value.words.join(''));
    const test = isFree ? conditions.findTest(value.words, matchOf(value)) : undefined;
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
      // The client did not request the default: it does not hide items without the property.
      return [
        sent === undefined
          ? (item: ListedItem) => passes(item) || !conditions.has(value.words, item)
          : passes,
      ];
    });
    // An object of filters may have undeclared names.
    const further = objects.flatMap(({ words, read }) => {
      const [sent] = read(source);
      return Object.entries(isJsonObject(sent) ? sent : {}).flatMap(([name, wanted]) => {
        const all = [...words, ...splitWords(name)];
        const test = known.has(all.join(' ')) ? undefined : conditions.findTest(all);
        return test === undefined ? [] : [test(wanted)];
      });
    });
    return [...(texts.length === 0 ? [] : [createSearch(texts, fields)]), ...wantedOnes, ...further];
  };
}

/** Prepares the sort order that a request selects. */
function prepareSort(
  sorts: readonly QueryValue[],
  directions: readonly QueryValue[],
  conditions: Conditions,
): {
  /** Undefined if a request selects none. */
  readonly read: (source: ParameterSource) => Pick<ListQuery, 'sort' | 'isNewestFirst'> | undefined;
  /** Returns the sort text of a request that is not a property and that the document does not name. */
  readonly findUnsortable: (source: ParameterSource) => ListQuery['unsortable'];
} {
  // `order` is the direction if another parameter names the property.
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
        // A repeated property does not change the order.
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

/** The parameter in links if a list is cut and the document declares none, for example for the petstore's `x-next`. */
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
  // `page[size]` need not be declared if `page` is any object.
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

/** Splits a name into words, without words that mark a filter or have no meaning: `params`. */
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
  // `as`: Object.keys returns the keys of the table as plain strings.
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

/** Returns the value in the request, or else the default in the document. */
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
