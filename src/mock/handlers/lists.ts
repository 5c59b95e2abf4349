import type { OperationKind } from '../../contract/contract.ts';
import { decodeQueryText, parseQuery, type QueryMember } from '../../contract/read-parameters.ts';
import { findSuccessResponse, statusOf } from '../../contract/responses.ts';
import { compareNumbers, ExactNumber } from '../../json/exact-number.ts';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { chooseSentMedia, memberSchema, nestMember, renderText } from '../answer/representation.ts';
import { mergeSchema, sampleHeaders, sampleValue, setOwn } from '../answer/sample-value.ts';
import { type MaybePromise, type MockResponse, whenThere } from '../message.ts';
import type { KeptResource } from '../store/store.ts';
import { concreteCollection, type HandlerInput } from './items.ts';
import { createResourceRenderer } from './resource-view.ts';
import type { OperationHandler } from './stored-form.ts';

type ListKind = Extract<OperationKind, { kind: 'list' }>;

/** What the parameters of lists are called, without separators and in lower case. */
const names = {
  limit: /^(?:limit|size|perpage|pagesize|pagelimit|per|count|top|take|max\w*|first|\$top)$/u,
  offset: /^(?:offset|skip|start|startindex|from|\$skip)$/u,
  page: /^(?:page|pagenumber|pageno|pageindex)$/u,
  sort: /^(?:sort|sortby|orderby|order|sortfield|ordering)$/u,
  direction: /^(?:direction|sortorder|sortdirection|orderdirection|dir)$/u,
  search: /^(?:q|query|search|searchterm|text)$/u,
} as const;

/** What a request asks of a list, by its declared parameters. */
interface ListQuery {
  readonly offset: number;
  readonly limit: number;
  readonly filters: readonly (readonly [property: string, values: readonly string[]])[];
  readonly search: string | undefined;
  readonly sort: readonly (readonly [property: string, sign: 1 | -1])[];
}

/**
 * Prepares the lists of a collection: its items in the order in which they came, filtered, sorted and cut by the parameters
 * that the operation declares, in the envelope of its response.
 *
 * @throws ClocheError SCHEMA_UNUSABLE where the schema of the response cannot be compiled
 */
export function prepareList({ operation, kind, reading, store }: HandlerInput<ListKind>): OperationHandler {
  const response = findSuccessResponse(operation);
  const status = response === undefined ? 200 : statusOf(response);
  const sent = chooseSentMedia(response?.media ?? []);
  const schema = sent?.media.schema?.schema ?? true;
  const { path, element } = kind.list;
  const listSchema = memberSchema(schema, path);
  const itemSchema = elementSchema(listSchema, kind.list.kind);
  const render = createResourceRenderer(memberSchema(itemSchema, element), [], () => []);
  const envelope = path.length === 0 ? undefined : sampleValue(schema);
  const wrapper = element.length === 0 ? undefined : sampleValue(itemSchema);
  const totals = isJsonObject(envelope) ? Object.keys(envelope).filter((name) => isTotal.test(name)) : [];
  const validate = sent?.media.schema?.validator(reading);
  const headers = [
    ...(sent === undefined ? [] : ['Content-Type', sent.contentType]),
    ...sampleHeaders(response?.headers ?? []),
  ];
  const readQuery = createQueryReader(
    operation.parameters,
    schemaProperties(memberSchema(itemSchema, element)),
  );

  function renderAll(items: readonly JsonObject[]): JsonValue {
    const all = items.map((resource): JsonValue => {
      const { value } = render({ resource, exact: false, extras: undefined });
      return wrapper === undefined ? value : nestMember(wrapper, element, value);
    });
    const { key } = kind.resource;
    const idOf = (item: JsonObject): JsonValue =>
      (key.kind !== 'none' && Object.hasOwn(item, key.property) ? item[key.property] : undefined) ?? null;
    if (kind.list.kind === 'ids') return items.map(idOf);
    if (kind.list.kind === 'array') return all;
    const map: JsonObject = {};
    for (const [index, item] of items.entries()) setOwn(map, toText(idOf(item)), all[index] ?? null);
    return map;
  }

  function write(items: readonly JsonObject[], total: number): MockResponse {
    const list = renderAll(items);
    let body = path.length === 0 ? list : nestMember(envelope ?? {}, path, list);
    for (const name of totals) body = nestMember(body, [name], total);
    const exact = holdsExactNumber(body);
    const wrong = validate?.(body, exact) ?? [];
    const note = { operation: operation.id };
    return {
      status,
      headers,
      body: sent === undefined ? '' : sent.isJson ? stringifyJson(body) : renderText(sent.contentType, body),
      note:
        wrong.length === 0 ? note : { ...note, message: 'What is kept does not fit the schema of the list.' },
    };
  }

  return ({ head, path: requested }) => {
    const collection = concreteCollection(kind.resource, requested);
    const query = readQuery(parseQuery(head.target));
    const isPlain = query.filters.length === 0 && query.search === undefined && query.sort.length === 0;
    if (!isPlain) {
      return whenThere(store.list(collection, { offset: 0, limit: Number.MAX_SAFE_INTEGER }), (all) => {
        const found = select(all.map(parseKept), query);
        return write(found.slice(query.offset, query.offset + query.limit), found.length);
      });
    }
    const { offset, limit } = query;
    return whenThere(store.list(collection, { offset, limit }), (items): MaybePromise<MockResponse> => {
      const resources = items.map(parseKept);
      if (totals.length === 0) return write(resources, 0);
      return whenThere(store.count(collection), (count) => write(resources, count));
    });
  };
}

const isTotal = /^(?:total|count|total_?(?:count|items|results|elements|size|records)|num_?results)$/iu;

function parseKept({ text }: KeptResource): JsonObject {
  const stored = parseJson(text);
  return stored.kind === 'json' && isJsonObject(stored.value) ? stored.value : {};
}

function elementSchema(list: JsonSchema, kind: ListKind['list']['kind']): JsonSchema {
  const root = isJsonObject(list) ? list : {};
  const merged = mergeSchema(root, list);
  const item = merged[kind === 'map' ? 'additionalProperties' : 'items'];
  if (!isJsonObject(item)) return true;
  return root['$defs'] === undefined ? item : { ...item, $defs: root['$defs'] };
}

const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9$]/gu, '').toLowerCase();

function createQueryReader(
  parameters: HandlerInput<ListKind>['operation']['parameters'],
  properties: ReadonlyMap<string, unknown>,
): (members: readonly QueryMember[]) => ListQuery {
  const declared = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const named = (pattern: RegExp): string | undefined =>
    declared.find((name) => pattern.test(plain(name)) && !properties.has(name));
  const roles = Object.fromEntries(
    Object.entries(names).map(([role, pattern]) => [role, named(pattern)]),
  ) as Readonly<Record<keyof typeof names, string | undefined>>; // `as`: fromEntries forgets the names.
  const filters = declared.flatMap((name) => {
    const property = [...properties.keys()].find((each) => plain(each) === plain(name));
    return property === undefined || Object.values(roles).includes(name) ? [] : [{ name, property }];
  });
  return (members) => {
    const texts = (name: string | undefined): readonly string[] =>
      members.flatMap(([each, value]) =>
        decodeQueryText(each).replace(/\[\]$/u, '') === name ? [decodeQueryText(value)] : [],
      );
    const number = (name: string | undefined): number | undefined => {
      const [text] = name === undefined ? [] : texts(name);
      return text !== undefined && /^\d+$/u.test(text) ? Number(text) : undefined;
    };
    const limit = number(roles.limit) ?? Number.MAX_SAFE_INTEGER;
    const page = number(roles.page);
    const start = page === undefined || limit === Number.MAX_SAFE_INTEGER ? 0 : Math.max(0, page - 1) * limit;
    const isDown = texts(roles.direction)[0]?.toLowerCase().startsWith('desc') === true;
    return {
      offset: number(roles.offset) ?? start,
      limit,
      search: texts(roles.search)[0]?.toLowerCase(),
      filters: filters.flatMap(({ name, property }) => {
        const values = texts(name).flatMap((text) => text.split(','));
        return values.length === 0 ? [] : [[property, values] as const];
      }),
      sort: texts(roles.sort)
        .flatMap((text) => text.split(','))
        .flatMap((text) => toSortKey(text, properties, isDown)),
    };
  };
}

/** `name`, `-name`, `name:desc`, `name desc`; nothing where there is no such property. */
function toSortKey(
  text: string,
  properties: ReadonlyMap<string, unknown>,
  isDown: boolean,
): readonly (readonly [string, 1 | -1])[] {
  const [, sign = '', name = '', direction = ''] = /^([-+]?)(.*?)(?:[:. ](asc|desc)\w*)?$/iu.exec(text) ?? [];
  const property = [...properties.keys()].find((each) => plain(each) === plain(name));
  const down = sign === '-' || direction.toLowerCase() === 'desc' || (isDown && direction === '');
  return property === undefined ? [] : [[property, down ? -1 : 1]];
}

function select(items: readonly JsonObject[], { filters, search, sort }: ListQuery): readonly JsonObject[] {
  const valueOf = (item: JsonObject, name: string): JsonValue | undefined =>
    Object.hasOwn(item, name) ? item[name] : undefined;
  const holds = (value: JsonValue | undefined, wanted: readonly string[]): boolean =>
    Array.isArray(value)
      ? value.some((each) => holds(each, wanted))
      : value !== undefined && wanted.includes(toText(value));
  const found = items.filter(
    (item) =>
      filters.every(([name, wanted]) => holds(valueOf(item, name), wanted)) &&
      (search === undefined ||
        Object.values(item).some((value) => toText(value).toLowerCase().includes(search))),
  );
  if (sort.length === 0) return found;
  return found.toSorted((left, right) => {
    for (const [name, sign] of sort) {
      const order = compare(valueOf(left, name), valueOf(right, name));
      if (order !== 0) return order * sign;
    }
    return 0;
  });
}

const toText = (value: JsonValue): string => (typeof value === 'string' ? value : stringifyJson(value));

function isNumber(value: JsonValue | undefined): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/** What is missing comes last. */
function compare(left: JsonValue | undefined, right: JsonValue | undefined): number {
  if (left === undefined || right === undefined)
    return Number(left === undefined) - Number(right === undefined);
  if (isNumber(left) && isNumber(right)) return Math.sign(compareNumbers(left, right));
  const [a, b] = [toText(left), toText(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}
