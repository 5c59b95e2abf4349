import type { Operation } from '../../contract/contract.ts';
import { filteredName, findListMember, type ListParameterRole } from '../../contract/list-parameters.ts';
import { idText, listItems } from '../../contract/list-pages.ts';
import { type Parameter } from '../../contract/read-parameters.ts';
import { decodeQueryText, parseQuery } from '../../http/query.ts';
import { plain } from '../../contract/resource-key.ts';
import { parseJsonValue } from '../../json/parse.ts';
import { resolvePointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { schemaAt, schemaProperties } from '../../schema/properties.ts';
import { type JsonSchema, schemasInPlace, schemaTypes } from '../../schema/walk.ts';
import { quoteDocument } from '../finding.ts';
import { jsonContent } from '../classify/answer.ts';
import type { Item } from './items.ts';
import { qualifyLate } from './lag.ts';
import { judgeCopies } from './list-copies.ts';
import { type Observation, ownMember, type Tracker } from './observations.ts';
import type { Representation, Step } from './trace-steps.ts';
import { isState } from './values.ts';

/** Judges one page of a list by its query. */
export function judgeList(step: Step, tracker: Tracker): void {
  const { operation, listed } = step;
  if (operation === undefined || listed === undefined) return;
  judgeLimit(step, operation, tracker);
  judgeFilters(step, operation, tracker);
  judgeSearch(step, operation, tracker);
  judgeRepeats(step, operation, tracker);
  judgeCopies(step, tracker);
}

const roles: readonly ListParameterRole[] = [
  'limit',
  'offset',
  'page',
  'after',
  'before',
  'sort',
  'direction',
  'search',
];

/** Returns the value of a query parameter if it is sent once. */
function sentOnce({ judged }: Step, name: string): string | undefined {
  const values = parseQuery(judged.exchange.request.target).filter(([each]) => each === name);
  const [first] = values;
  return values.length === 1 && first !== undefined ? decodeQueryText(first[1]) : undefined;
}

/** Returns the value of a parameter as a text. It is JSON if its content is described (OpenAPI 3.1 §4.8.12.2). */
function sentValue(step: Step, { name, mediaType }: Parameter): string | undefined {
  const text = sentOnce(step, name);
  if (text === undefined || mediaType === undefined) return text;
  const value = parseJsonValue(text);
  return value === undefined ? undefined : idText(value);
}

function judgeLimit(step: Step, operation: Operation, { conclude, items }: Tracker): void {
  const member = findListMember(operation, 'limit');
  const sent = member && sentOnce(step, member.name);
  // Items may have a property of that name.
  const isProperty = member !== undefined && schemaProperties(step.listSchema).has(member.name);
  if (member === undefined || sent === undefined || isProperty || !/^[1-9]\d*$/u.test(sent)) return;
  const count = listItems(operation, jsonContent(step.judged.answer)).length;
  if (count <= Number(sent)) return;
  conclude('limit-ignored', {
    of: step,
    shownBy: [...items.chainTo(step.place?.collection ?? ''), step],
    clause: quoteDocument(member.parameter.pointer, `${member.name} says how many items a page has at most`),
    expected: `at most ${sent} ${sent === '1' ? 'item' : 'items'}`,
    received: `${count} items`,
    cause: `${member.name} ignored`,
  });
}

/** Names of parameters that change how items are shown, whatever their properties are called. */
const views =
  /^(?:format|lang(?:uage)?|locale|currency|units?|time_?zone|version|view|fields?|include|expand|embed|select|projection|callback)$/iu;

/** Words for parameters that filter by something other than equal values. */
const loosely =
  /contain|search|like|fuzzy|prefix|start|partial|match|range|minim|maxim|at least|at most|before|after|since|until|from|greater|less|sort|order|default|similar|substring|case/iu;

/** A query parameter that filters a list by a property, and its value in a request. */
interface SentFilter {
  readonly parameter: Parameter;
  readonly sent: string;
}

/** Returns the parameters of a request that filter a list by an equal value, unless their description says otherwise. */
function filtersOf(step: Step, operation: Operation, { contract }: Tracker): readonly SentFilter[] {
  const paging = new Set(roles.map((role) => findListMember(operation, role)?.name));
  return operation.parameters.flatMap((parameter) => {
    const { name, pointer } = parameter;
    const sent = parameter.in === 'query' && !paging.has(name) ? sentValue(step, parameter) : undefined;
    const declared = resolvePointer(contract.root, pointer);
    const description = isJsonObject(declared) ? declared['description'] : undefined;
    const isLoose = typeof description === 'string' && loosely.test(description);
    const isUnjudged = sent === undefined || sent === '' || isLoose || views.test(name);
    return isUnjudged || !isScalar(parameter.schema?.schema) ? [] : [{ parameter, sent }];
  });
}

/** Returns whether an item has another value than a filter asks for; false if it has none. */
function isOther({ value, schema }: Representation, { parameter, sent }: SentFilter): boolean {
  const property = findProperty(schema, parameter);
  const own = property && ownMember(value, property.name);
  return property !== undefined && own !== undefined && !passes(own, sent, property.schema);
}

function concludeIgnored(
  { of, shownBy }: { readonly of: Step; readonly shownBy: readonly Step[] },
  { name, pointer }: Parameter,
  { conclude, contract, steps }: Tracker,
): void {
  conclude('filter-ignored', {
    of,
    ...qualifyLate(of, steps, contract),
    shownBy,
    clause: quoteDocument(pointer, `${name} is a property of the items that are listed`),
    expected: `only items whose ${name} is what was asked for`,
    received: 'an item with another value',
    cause: `${name} ignored`,
  });
}

function judgeFilters(step: Step, operation: Operation, tracker: Tracker): void {
  const { items } = tracker;
  for (const filter of filtersOf(step, operation, tracker)) {
    judgeLacking(step, filter, tracker);
    const other = step.listed?.find((each) => isOther(each, filter));
    if (other === undefined) continue;
    const shownBy = items.chainTo(step.place?.collection ?? '', items.find(other.item)?.madeBy, step);
    concludeIgnored({ of: step, shownBy }, filter.parameter, tracker);
    return;
  }
}

/**
 * Judges the filtered lists of ids that show an item between two reads of it. Only a value that both reads show is certain,
 * as a service may change a state at any time.
 */
export function judgeListedIds(item: Item, look: Observation, tracker: Tracker): void {
  const { lastShown: before, madeBy, place } = item;
  if (before === undefined || madeBy === undefined) return;
  const between = item.seen.filter(({ listed, index }) => listed !== undefined && index > before.by.index);
  for (const step of between) {
    const filters = step.operation === undefined ? [] : filtersOf(step, step.operation, tracker);
    const isByIds = step.listed?.every(({ schema }) => schema === undefined);
    const ignored = filters.find((each) => isOther(before, each) && isOther(look, each));
    if (isByIds !== true || ignored === undefined) continue;
    const shownBy = tracker.items.chainTo(place.collection, madeBy, before.by, step, look.by);
    concludeIgnored({ of: step, shownBy }, ignored.parameter, tracker);
    return;
  }
}

/** Judges an item without a value for a flag or a state that a list shows under two values of it. */
function judgeLacking(step: Step, { parameter, sent }: SentFilter, { conclude, items }: Tracker): void {
  for (const { item: name, value, schema } of step.listed ?? []) {
    const item = items.find(name);
    const property = findProperty(schema, parameter);
    const { madeBy, lastShown = madeBy?.shown } = item ?? {};
    if (item === undefined || property === undefined || madeBy === undefined || lastShown === undefined)
      continue;
    const isLacking = [value, lastShown.value].every(
      (shown) => ownMember(shown, property.name) === undefined,
    );
    const isOfState = isState(property.schema, null) || schemaTypes(property.schema).has('boolean');
    if (!isLacking || !isOfState || item.known.get(property.name)?.value !== undefined) continue;
    if (schemasInPlace(property.schema, property.schema).some((part) => 'default' in part)) continue;
    const before = item.passed.get(property.name);
    if (before === undefined) item.passed.set(property.name, { sent, by: step });
    if (before === undefined || before.sent === sent) continue;
    conclude('filter-ignored', {
      of: step,
      // No value may mean all of them.
      level: 'warning',
      shownBy: [...items.chainTo(step.place?.collection ?? ''), madeBy, before.by, step],
      clause: quoteDocument(
        parameter.pointer,
        `${parameter.name} is a property of the items that are listed`,
      ),
      expected: `only items whose ${parameter.name} is what was asked for`,
      received: 'an item that has none, under each of two values',
      cause: `${parameter.name} missing`,
    });
    return;
  }
}

/** Names of properties whose whole text a search finds. */
export const naming: RegExp = /^(?:name|title|label|subject|summary)$/iu;

/**
 * Returns which items of this trace a list has to show by its query: those with the value of each filter, as a client
 * wrote it, and with a searched text as their name.
 *
 * @returns undefined if a parameter of the query has another meaning
 */
export function readWanted(step: Step): ((item: Item) => boolean) | undefined {
  const { operation, judged, listSchema: schema } = step;
  if (operation === undefined) return undefined;
  const paging = new Map(roles.map((role) => [findListMember(operation, role)?.name, role]));
  const properties = schemaProperties(schema);
  const wanted: ((item: Item) => boolean)[] = [];
  for (const [name] of parseQuery(judged.exchange.request.target)) {
    const role = paging.get(name);
    // `count` may be a page size, or a property of the items.
    if (role !== undefined && role !== 'search' && !properties.has(name)) continue;
    const parameter = operation.parameters.find((each) => each.name === name && each.in === 'query');
    const sent = parameter && sentValue(step, parameter);
    if (parameter === undefined || sent === undefined || sent === '' || views.test(name)) return undefined;
    const property = role === 'search' ? undefined : findProperty(schema, parameter);
    if (role !== 'search' && (property === undefined || !isScalar(parameter.schema?.schema)))
      return undefined;
    wanted.push(({ known }) =>
      [...known].some(
        ([each, { value }]) =>
          (property === undefined ? naming.test(each) : each === property.name) &&
          value !== undefined &&
          value !== null &&
          idText(value) === sent,
      ),
    );
  }
  return (item) => wanted.every((isWanted) => isWanted(item));
}

/** Returns whether a request searches a list for a text, or filters it by a property that is no flag and no state. */
export function asksForText(step: Step): boolean {
  const { operation, judged, listSchema: schema } = step;
  if (operation === undefined) return false;
  const search = findListMember(operation, 'search')?.name;
  return parseQuery(judged.exchange.request.target).some(([name]) => {
    const parameter = operation.parameters.find((each) => each.name === name && each.in === 'query');
    const property = parameter && findProperty(schema, parameter);
    const types = schemaTypes(property?.schema ?? false);
    return (
      name === search || (property !== undefined && types.has('string') && !isState(property.schema, null))
    );
  });
}

/** Judges items of this trace that have nothing of a searched text, if another one has it. */
function judgeSearch(step: Step, operation: Operation, { conclude, items }: Tracker): void {
  const member = findListMember(operation, 'search');
  const sent = member && sentOnce(step, member.name)?.toLowerCase();
  if (member === undefined || sent === undefined || sent.length < 3) return;
  // A search may also find other forms of a word.
  const stems = sent.split(/[^\p{L}\p{N}]+/u).map((word) => word.slice(0, 3));
  const own = (step.listed ?? []).flatMap(({ item: name, value }) => {
    const item = items.find(name);
    const { madeBy, lastShown } = item ?? {};
    if (item === undefined || madeBy === undefined || lastShown === undefined) return [];
    const known = [...item.known.values()].map((each) => each.value ?? null);
    const text = JSON.stringify([value, lastShown.value, ...known]).toLowerCase();
    return [{ madeBy, hasText: text.includes(sent), hasStem: stems.some((stem) => text.includes(stem)) }];
  });
  const other = own.find(({ hasStem }) => !hasStem);
  const found = own.find(({ hasText }) => hasText);
  if (other === undefined || found === undefined) return;
  conclude('filter-ignored', {
    of: step,
    shownBy: items.chainTo(step.place?.collection ?? '', other.madeBy, found.madeBy, step),
    clause: quoteDocument(member.parameter.pointer, `${member.name} searches the items that are listed`),
    expected: 'only items with something of the text that was asked for',
    received: 'an item with nothing of it',
    cause: `${member.name} ignored`,
  });
}

function isScalar(schema: JsonSchema | undefined): boolean {
  const types = schemaTypes(schema ?? true);
  return types.size > 0 && !types.has('array') && !types.has('object');
}

/** Finds the property with the name of a parameter. Time properties are excluded, as clients filter them by the day. */
function findProperty(
  schema: JsonSchema | undefined,
  { name }: Parameter,
): { readonly name: string; readonly schema: JsonSchema } | undefined {
  for (const [each, { writeOnly }] of schemaProperties(schema)) {
    const own = schemaAt(schema, [each]) ?? true;
    const isTime = isJsonObject(own) && idText(own['format'] ?? '').startsWith('date');
    if (plain(each) === filteredName(name) && !isTime && !writeOnly && isScalar(own)) {
      return { name: each, schema: own };
    }
  }
  return undefined;
}

/** Returns whether a value may match the parameter; for a free text, a part may be enough. */
function passes(value: JsonValue, sent: string, schema: JsonSchema): boolean {
  if (value === null || Array.isArray(value) || isJsonObject(value)) return true;
  if (sent.includes(',')) return true;
  const [text, wanted] = [idText(value).toLowerCase(), sent.toLowerCase()];
  if (typeof value === 'string' && !isState(schema, value)) return text.includes(wanted);
  if (typeof value === 'boolean') return text === wanted || !/^(?:true|false)$/u.test(wanted);
  return text === wanted || (Number(text) === Number(wanted) && wanted !== '');
}

function judgeRepeats(step: Step, operation: Operation, { conclude, items }: Tracker): void {
  const names = (step.listed ?? []).map(({ item }) => item);
  const seen = new Set<string>();
  const twice = names.find((name) => {
    if (seen.has(name)) return items.find(name)?.madeBy !== undefined;
    seen.add(name);
    return false;
  });
  const madeBy = twice === undefined ? undefined : items.find(twice)?.madeBy;
  if (madeBy === undefined) return;
  conclude('list-repeats', {
    of: step,
    shownBy: [...items.chainTo(step.place?.collection ?? ''), madeBy, step],
    clause: quoteDocument(operation.pointer, 'the list shows the items of the collection'),
    expected: 'each item once',
    received: 'an item twice on one page',
    cause: 'an item twice',
  });
}
