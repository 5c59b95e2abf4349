import { compareNumbers } from '../../json/exact-number.ts';
import { isJsonNumber, type JsonObject, type JsonValue } from '../../json/value.ts';
import { decodeQueryText, parseQuery } from '../../http/query.ts';
import { findListMember } from '../../contract/list-parameters.ts';
import { plain } from '../../contract/resource-key.ts';
import { schemaProperties } from '../../schema/properties.ts';
import { quoteDocument } from '../finding.ts';
import type { Item } from './items.ts';
import { type Tracker, ownMember } from './observations.ts';
import type { Step } from './trace-steps.ts';
import { isState } from './values.ts';

/** How a request wants a list to be sorted. */
export interface WantedOrder {
  /** As the items have it. */
  readonly property: string;
  readonly isDownwards: boolean;
}

/**
 * Reads the value of a parameter for sorting: `name`, `-name`, `+name`, `name:desc`, `name desc`, `name_desc`.
 *
 * @param names - the properties of the items
 * @returns undefined if the value names no property of the items
 */
export function readOrder(value: string, names: readonly string[]): WantedOrder | undefined {
  const [, sign = '', text = '', end = ''] =
    /^([-+]?)(.+?)(?:[\s:_.,|-](asc|desc|ascending|descending))?$/iu.exec(value.trim()) ?? [];
  const property = names.find((name) => name === text) ?? names.find((name) => plain(name) === plain(text));
  return property === undefined ? undefined : { property, isDownwards: sign === '-' || /^desc/iu.test(end) };
}

/** Compares two values by each of the usual collations; undefined for values that have no usual order. */
function compare(one: JsonValue, two: JsonValue): readonly number[] | undefined {
  if (isJsonNumber(one) && isJsonNumber(two)) return [compareNumbers(one, two)];
  if (typeof one !== 'string' || typeof two !== 'string') return undefined;
  const byUnit = (left: string, right: string): number => Number(left > right) - Number(left < right);
  return [byUnit(one, two), byUnit(one.toLowerCase(), two.toLowerCase()), one.localeCompare(two, 'en')];
}

/** Returns an item as a read showed it since its last change. */
function readAsItIs({ state, madeBy, changedBy, lastShown }: Item): JsonObject | undefined {
  const isCertain = state === 'there' && madeBy !== undefined && lastShown !== undefined;
  return isCertain && lastShown.by.index > (changedBy?.index ?? 0) ? lastShown.value : undefined;
}

/** Judges whether successive pages of a list are in the order that their requests ask for. */
export function judgeOrder(pages: readonly Step[], { items, conclude }: Tracker): void {
  const [first] = pages;
  const operation = first?.operation;
  if (first === undefined || operation === undefined) return;
  const member = findListMember(operation, 'sort');
  if (member === undefined || findListMember(operation, 'direction') !== undefined) return;
  const sent = parseQuery(first.judged.exchange.request.target).filter(([name]) => name === member.name);
  const shown = pages.flatMap(({ listed }) => listed ?? []);
  const properties = schemaProperties(first.listSchema);
  const order =
    sent.length === 1 ? readOrder(decodeQueryText(sent[0]?.[1] ?? ''), [...properties.keys()]) : undefined;
  if (order === undefined || isState(properties.get(order.property)?.schema, null)) return;
  // Where items without a value come is up to the service.
  const isServices = properties.get(order.property)?.readOnly === true;
  const values = shown.flatMap(({ item, value, schema }) => {
    // An item that is listed by its id alone was read before. What the service sets may have changed since then.
    const read = schema !== undefined || isServices ? undefined : items.find(item);
    return ownMember((read && readAsItIs(read)) ?? value, order.property) ?? [];
  });
  const isWrong = values.some((value, index) => {
    const before = values[index - 1];
    const signs = before === undefined ? undefined : compare(before, value);
    return signs?.every((sign) => (order.isDownwards ? sign < 0 : sign > 0)) === true;
  });
  if (!isWrong) return;
  conclude('sort-ignored', {
    of: pages.at(-1) ?? first,
    shownBy: [...items.chainTo(first.place?.collection ?? ''), ...pages],
    clause: quoteDocument(
      member.parameter.pointer,
      `${member.name} names the property that a list is sorted by`,
    ),
    expected: `${order.property} ${order.isDownwards ? 'downwards' : 'upwards'}`,
    received: 'an item before one that comes first',
    cause: `${member.name} ignored`,
  });
}
