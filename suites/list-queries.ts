import { judgeValue } from '../src/arbitrary/from-schema.ts';
import type { RequestCase } from '../src/arbitrary/request-case.ts';
import { buildRequest } from '../src/arbitrary/request.ts';
import { serializeParameter } from '../src/arbitrary/serialize-parameter.ts';
import { naming } from '../src/check/stateful/lists.ts';
import { readOrder } from '../src/check/stateful/list-order.ts';
import type { Operation } from '../src/contract/contract.ts';
import { listItemSchema } from '../src/contract/item-properties.ts';
import { filteredName, findListMember, type ListParameterRole } from '../src/contract/list-parameters.ts';
import type { Parameter } from '../src/contract/read-parameters.ts';
import { plain } from '../src/contract/resource-key.ts';
import { findSuccessResponse } from '../src/contract/responses.ts';
import { type JsonObject, type JsonValue } from '../src/json/value.ts';
import { schemaProperties } from '../src/schema/properties.ts';
import { schemasInPlace } from '../src/schema/walk.ts';
import { statesOf } from './life-cycle-bodies.ts';

/** A request of a list. */
export interface ListQuery {
  readonly request: RequestCase;
  /** Whether the list is read page after page. */
  readonly walks?: true;
  /** Makes the request from an item as it was shown last; undefined if it has no suitable value. */
  readonly asks?: (shown: JsonObject) => RequestCase | undefined;
}

type Values = ReadonlyMap<Parameter, JsonValue>;

const allows = ({ schema }: Parameter, value: JsonValue): boolean =>
  schema === undefined || judgeValue(schema, value) === 'valid';

function ask(list: Operation, values: Values): RequestCase {
  const texts = [...values].map(
    ([parameter, value]) => [parameter, serializeParameter(parameter, value)] as const,
  );
  return buildRequest(list, { parameters: new Map(texts) });
}

/** Returns a parameter that is a list parameter by itself, and not by a member of an object. */
function findOwn(list: Operation, role: ListParameterRole): Parameter | undefined {
  const member = findListMember(list, role);
  return member?.name === member?.parameter.name ? member?.parameter : undefined;
}

/** Returns a limit for several pages, if the list has one. */
function severalPages(list: Operation): Values {
  const limit = findOwn(list, 'limit');
  const count = [3, 2, 5, 10].find((each) => limit !== undefined && allows(limit, each));
  return new Map(limit === undefined || count === undefined ? [] : [[limit, count]]);
}

/** Returns requests for pages of a few items: those of the whole list, and one with a single item. */
export function pageQueries(list: Operation): readonly ListQuery[] {
  const several = severalPages(list);
  const limit = findOwn(list, 'limit');
  return [
    ...(several.size === 0 ? [] : [{ request: ask(list, several), walks: true as const }]),
    ...(limit !== undefined && allows(limit, 1) ? [{ request: ask(list, new Map([[limit, 1]])) }] : []),
  ];
}

/** Returns the value of a property with the name of a parameter. */
function valueFor({ name }: Parameter, shown: JsonObject): JsonValue | undefined {
  return Object.entries(shown).find(([each]) => plain(each) === filteredName(name))?.[1];
}

/** Returns requests that filter a list by the values of an item: by each, with a small limit, and by two of them. */
function filterQueries(list: Operation, properties: ReadonlySet<string>): readonly ListQuery[] {
  const paging = new Set(
    (['limit', 'offset', 'page', 'sort', 'search'] as const).map((role) => findOwn(list, role)),
  );
  const filters = list.parameters.filter(
    (parameter) =>
      parameter.in === 'query' && !paging.has(parameter) && properties.has(filteredName(parameter.name)),
  );
  const several = severalPages(list);
  const by =
    (...parameters: readonly Parameter[]) =>
    (beside: Values): ListQuery => ({
      request: buildRequest(list),
      walks: true,
      asks(shown) {
        const values = parameters.map((parameter) => [parameter, valueFor(parameter, shown)] as const);
        const sent = values.flatMap(([parameter, value]) =>
          value === undefined || value === null || !allows(parameter, value)
            ? []
            : [[parameter, value] as const],
        );
        return sent.length < values.length ? undefined : ask(list, new Map([...beside, ...sent]));
      },
    });
  const states = filters.flatMap((parameter) => {
    const schema = parameter.schema?.schema;
    const values = schema === undefined ? [] : statesOf(schema).filter((value) => allows(parameter, value));
    return values
      .slice(0, 2)
      .map((value) => ({ request: ask(list, new Map([[parameter, value]])), walks: true as const }));
  });
  const [first, second] = filters;
  return [
    ...states,
    ...filters.slice(0, 4).map((filter) => by(filter)(several)),
    ...(first !== undefined && second !== undefined ? [by(first, second)(new Map())] : []),
  ];
}

/** The number of orders that are asked for. */
const mostOrders = 4;

/** Returns requests for the orders that the parameter for sorting declares, up and down. */
function orderQueries(list: Operation, properties: readonly string[]): readonly ListQuery[] {
  const sort = findOwn(list, 'sort');
  if (sort?.schema === undefined) return [];
  const parts = schemasInPlace(sort.schema.schema, sort.schema.schema);
  const declared = parts.flatMap((part) => (Array.isArray(part['enum']) ? part['enum'] : []));
  const orders = declared.filter(
    (value) => typeof value === 'string' && readOrder(value, properties) !== undefined,
  );
  const several = severalPages(list);
  return orders.slice(0, mostOrders).map((order, index) => ({
    request: ask(list, new Map([...(index === 1 ? several : []), [sort, order] as const])),
    walks: true as const,
  }));
}

/**
 * Returns requests that search a list for the name of an item, or for another text of it: page by page, and further on
 * than one item.
 */
export function searchQueries(list: Operation): readonly ListQuery[] {
  const search = findOwn(list, 'search');
  if (search === undefined) return [];
  const several = severalPages(list);
  const offset = findOwn(list, 'offset');
  const further: Values = new Map(offset !== undefined && allows(offset, 1) ? [[offset, 1]] : []);
  const by = (beside: Values): ListQuery => ({
    request: buildRequest(list),
    walks: true,
    asks(shown) {
      const texts = Object.entries(shown).flatMap(([name, value]) =>
        typeof value === 'string' && /^[\p{L}\p{N} ]{3,60}$/u.test(value) && allows(search, value)
          ? [{ text: value, isName: naming.test(name) }]
          : [],
      );
      // What a search looks at is up to the service, but a name is among it.
      const [{ text } = { text: undefined }] = texts.toSorted(
        (left, right) => Number(right.isName) - Number(left.isName) || right.text.length - left.text.length,
      );
      return text === undefined ? undefined : ask(list, new Map([...beside, [search, text] as const]));
    },
  });
  return several.size === 0 && further.size === 0 ? [by(several)] : [by(several), by(further)];
}

/**
 * Returns requests that show some of the items of a list: page by page, filtered and sorted.
 *
 * @param read - shows the properties of items that the list shows by their ids alone
 */
export function listQueries(list: Operation, read: Operation | undefined): readonly ListQuery[] {
  const media = findSuccessResponse(list)?.media.find(({ schema }) => schema !== undefined);
  const names = [
    ...schemaProperties(listItemSchema(list, media?.schema?.schema, read === undefined ? [] : [read])).keys(),
  ];
  return [
    ...pageQueries(list),
    ...filterQueries(list, new Set(names.map(plain))),
    ...orderQueries(list, names),
  ];
}
