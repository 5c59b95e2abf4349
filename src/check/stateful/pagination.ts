import type { Operation } from '../../contract/contract.ts';
import { findListMember, type ListParameterRole } from '../../contract/list-parameters.ts';
import { listItems, type ListPage, type NextPage, nextPage, totalOf } from '../../contract/list-pages.ts';
import { decodeQueryText, parseQuery } from '../../http/query.ts';
import { pathOf } from '../../http/path.ts';
import { isAbsentStatus } from '../../http/status.ts';
import { policyOf } from '../../policy/policy.ts';
import { schemasInPlace } from '../../schema/walk.ts';
import { quoteDocument } from '../finding.ts';
import { jsonContent, statusOf } from '../classify/answer.ts';
import { isFineAround } from '../classify/request.ts';
import type { CheckedExchange } from '../classify/subject.ts';
import { qualify } from './conclusions.ts';
import type { Item } from './items.ts';
import { qualifyLate } from './lag.ts';
import { judgeOrder } from './list-order.ts';
import { asksForText, readWanted } from './lists.ts';
import type { Tracker } from './observations.ts';
import { type ItemName, type Step } from './trace-steps.ts';

/** The successive pages of one list in a trace. */
interface Walk {
  readonly pages: Step[];
  next: NextPage;
}

/** A follower of lists, page by page. */
export interface Pagination {
  /** Adds a step, which may be a page of a list. */
  readonly take: (step: Step) => void;
}

/** Words for lists that do not show all items, if they stand near what is listed: `active members`. */
const some =
  '(?:only|archived|exclud\\w*|except|unless|active|published|visible|available|(?:recent|latest)(?! first)|open|featured|popular|own|assigned|upcoming|pending|current|filter(?:ed)?|search|matching|top|(?<!(?:est|recent|least|most) )first)';

/** Returns the words with which the document may describe a list as partial. */
function selective(collection: string): RegExp {
  const [segment = ''] =
    collection
      .split('/')
      .findLast((each) => each !== '')
      ?.match(/[\p{L}\p{N}]+/gu) ?? [];
  // `categories` and `category`, `books` and `book`.
  const stem = segment.replace(/(?:ies|es|s)$/u, '');
  const listed = `(?:${stem === '' ? '' : `${stem}\\w*|`}items?|results?|entries|records?|objects?|resources?|those|ones)`;
  return new RegExp(
    `\\b${some}(?:\\W+\\w+){0,3}\\W+${listed}\\b|\\b${listed}(?:\\W+\\w+){0,3}\\W+${some}\\b`,
    'iu',
  );
}

/** Creates a follower of lists. It reports missing items as soon as a list was read to its end. */
export function createPagination(tracker: Tracker): Pagination {
  const open = new Set<Walk>();
  return {
    take(step) {
      if (step.role?.kind !== 'list' || step.place === undefined || step.operation === undefined) return;
      if (!isFineAround(step.judged.request) || step.judged.exchange.request.method !== 'GET') return;
      const target = keyOf(step.judged.exchange.request.target);
      const goesOn = [...open].findLast(
        ({ next, pages }) =>
          next.kind === 'next' && keyOf(next.target) === target && pages[0]?.client === step.client,
      );
      const walk =
        goesOn ?? (startsAnew(step) ? { pages: [], next: { kind: 'unknown' } as const } : undefined);
      if (walk === undefined) return;
      const followed: Walk = walk;
      followed.pages.push(step);
      followed.next = pageAfter(
        step.operation,
        followed.pages.map(({ judged }) => judged),
      );
      judgeOverlap(followed.pages, tracker);
      if (isStill(followed.pages, tracker.steps)) judgeOrder(followed.pages, tracker);
      if (followed.next.kind === 'next') {
        open.add(followed);
      } else {
        open.delete(followed);
        if (followed.next.kind === 'end') judgeWhole(followed.pages, tracker);
      }
    },
  };
}

/** Returns the page after some successive pages of a list, from the first on. */
export function pageAfter(operation: Operation, pages: readonly CheckedExchange[]): NextPage {
  return nextPage(operation, pages.map(toListPage));
}

function toListPage({ exchange, answer }: CheckedExchange): ListPage {
  return {
    target: exchange.request.target,
    status: statusOf({ answer }),
    headers: answer.kind === 'none' ? [] : answer.response.headers,
    body: jsonContent(answer),
  };
}

/** Normalises the order of parameters in a target. */
function keyOf(target: string): string {
  const members = parseQuery(target).map(([name, value]) => `${name}=${decodeQueryText(value)}`);
  return [pathOf(target), ...members.toSorted()].join('&');
}

const starts: readonly ListParameterRole[] = ['offset', 'page', 'after', 'before'];

/** Returns whether a step requests the first page of a list. */
function startsAnew({ judged, operation }: Step): boolean {
  const query = parseQuery(judged.exchange.request.target);
  return starts.every((role) => {
    const member = operation && findListMember(operation, role);
    const sent = query.find(([name]) => name === member?.name)?.[1];
    return sent === undefined || (sent === '0' && role === 'offset');
  });
}

const shapes: readonly ListParameterRole[] = ['limit', ...starts, 'sort', 'direction'];

/** Returns which items a list has to show, if the request asks for its whole, or for those with some values. */
function wantedOf(step: Step): ((item: Item) => boolean) | undefined {
  const { operation, place, judged } = step;
  if (operation === undefined || place === undefined) return undefined;
  if (operation.path.template.replace(/\/$/u, '') !== place.resource.collection.replace(/\/$/u, ''))
    return undefined;
  const sent = new Set(parseQuery(judged.exchange.request.target).map(([name]) => name));
  const shaping = new Set(shapes.map((role) => findListMember(operation, role)?.name));
  const keepsSome = operation.parameters.some(
    ({ name, in: where, schema }) =>
      where === 'query' &&
      !shaping.has(name) &&
      !sent.has(name) &&
      schema !== undefined &&
      schemasInPlace(schema.schema, schema.schema).some((part) => Object.hasOwn(part, 'default')),
  );
  return keepsSome ? undefined : readWanted(step);
}

/** A list that was read to its end. */
interface Whole {
  readonly pages: readonly Step[];
  readonly first: Step;
  readonly last: Step;
  readonly collection: string;
  readonly shown: ReadonlySet<ItemName>;
  /** Whether an item of this trace has to be shown. */
  readonly wants: (item: Item) => boolean;
  /** Whether all items are of this trace: deletes by other clients shift items past the next page. */
  readonly isAlone: boolean;
  /** The total, if each page has the same: then most likely no other client changed the list meanwhile. */
  readonly total: number | undefined;
}

const totalOn = ({ operation, judged }: Step): number | undefined =>
  operation && totalOf(operation, toListPage(judged));

/** Returns the total of a list, if each of its pages has the same. */
function steadyTotal(pages: readonly Step[]): number | undefined {
  const [total, ...others] = new Set(pages.map(totalOn));
  return others.length === 0 ? total : undefined;
}

function judgeWhole(pages: readonly Step[], tracker: Tracker): void {
  const { items, steps } = tracker;
  const [first] = pages;
  const last = pages.at(-1);
  const wants = first && wantedOf(first);
  if (first?.place === undefined || last === undefined || wants === undefined || !isStill(pages, steps))
    return;
  const { collection } = first.place;
  const shown = new Set<ItemName>(pages.flatMap(({ listed }) => (listed ?? []).map(({ item }) => item)));
  const isAlone =
    items.chainTo(collection).length > 0 ||
    [...shown].every((name) => items.find(name)?.madeBy !== undefined);
  const whole = { pages, first, last, collection, shown, wants, isAlone, total: steadyTotal(pages) };
  judgeTotal(whole, tracker);
  judgeAbsent(whole, tracker);
}

/** Judges a total that is not the number of items that a list showed to its end. */
function judgeTotal({ pages, first, last, collection, isAlone }: Whole, tracker: Tracker): void {
  const { items, conclude, context } = tracker;
  const { operation } = first;
  const total = totalOn(last);
  if (total === undefined || operation === undefined) return;
  const count = pages.reduce(
    (sum, { judged }) => sum + listItems(operation, jsonContent(judged.answer)).length,
    0,
  );
  const isCut = policyOf(context.policy, operation.id)['list-default-limit'] !== 'none';
  if (total === count || (total > count && (!isAlone || isCut))) return;
  const chain = items.chainTo(collection);
  // Services estimate how many items a large collection has, but not those of a small one, or of a text that few have.
  const isExact = total < count || (chain.length > 0 && !asksForSome(first)) || asksForText(first);
  const exact = total > count ? 'too high' : 'too low';
  conclude('list-total', {
    of: last,
    ...(isExact ? {} : { level: 'warning' as const }),
    shownBy: [...chain, ...pages],
    clause: quoteDocument(operation.pointer, 'its response has the number of items'),
    expected: 'the number of items that its pages show',
    received: total > count ? 'a higher total' : 'a lower total',
    // An estimate is another finding, as each has one level.
    cause: isExact ? exact : 'too high, or an estimate',
  });
}

/** Returns whether a request filters or searches a list. */
const asksForSome = ({ operation, judged }: Step): boolean =>
  parseQuery(judged.exchange.request.target).some(
    ([name]) =>
      operation !== undefined && !shapes.some((role) => findListMember(operation, role)?.name === name),
  );

/** Judges an item of this trace that a list lacks. */
function judgeAbsent(
  { pages, first, last, collection, shown, wants, isAlone, total }: Whole,
  tracker: Tracker,
): void {
  const { items, conclude, steps, context, contract } = tracker;
  // A list without ids does not show which items are missing.
  const isUnnamed = shown.size === 0 && pages.some((page) => page.listed === undefined || hasUnnamed(page));
  if (isUnnamed) return;
  const absent = [...items.all()].filter(
    (item) =>
      item.state === 'there' &&
      item.madeBy !== undefined &&
      item.madeBy.client === first.client &&
      (item.changedBy?.index ?? 0) < first.index &&
      item.place.collection === collection &&
      !shown.has(item.name) &&
      wants(item),
  );
  const [lacking] = absent;
  if (lacking?.madeBy === undefined) return;
  const isTooShort =
    total === undefined ? absent.length > 1 && (totalOn(last) ?? 0) > shown.size : total > shown.size;
  if (pages.length > 1 && !isAlone && !isTooShort) return;
  // An item that no read finds either was not stored by its create.
  const looked = steps.filter(
    ({ place, role, index }) =>
      place?.item === lacking.name && role?.kind === 'read' && index > (lacking.changedBy?.index ?? 0),
  );
  if (looked.some(({ status }) => isAbsentStatus(status))) return;
  const usual = policyOf(context.policy, first.operation?.id)['list-default-limit'];
  if (usual !== 'none' && shown.size >= usual) return;
  const seenBy = lacking.seen.findLast(({ role }) => role?.kind === 'read');
  const elsewhere = steps.findLast(
    ({ index, listed, client }) =>
      index > (lacking.changedBy?.index ?? 0) &&
      index < first.index &&
      client === first.client &&
      listed?.some(({ item }) => item === lacking.name) === true,
  );
  const isGap = pages.length > 1 && elsewhere !== undefined;
  conclude(isGap ? 'page-gap' : 'list-lacks', {
    of: last,
    ...qualifyLate(first, steps, contract),
    ...qualify([first], contract, selective(first.place?.resource.collection ?? '')),
    shownBy: [
      ...items.chainTo(collection),
      lacking.madeBy,
      ...[(isGap ? elsewhere : seenBy) ?? []].flat(),
      ...pages,
    ],
    clause: quoteDocument(first.operation?.pointer ?? '', 'the list shows the items of the collection'),
    expected: 'the item that was created',
    received: pages.length === 1 ? 'a list without it' : 'no page with it',
    cause: 'an item is missing',
  });
}

/** Returns whether no request of this trace changed anything while the pages of a list were read. */
function isStill(pages: readonly Step[], steps: readonly Step[]): boolean {
  return steps
    .slice(pages[0]?.index, pages.at(-1)?.index)
    .every(({ isSafe, outcome }) => isSafe || outcome === 'refused');
}

const hasUnnamed = ({ operation, judged }: Step): boolean =>
  operation === undefined || listItems(operation, jsonContent(judged.answer)).length > 0;

/** Judges items on two pages, if no request of this trace or of another client changed the list in between. */
function judgeOverlap(pages: readonly Step[], { items, conclude, steps }: Tracker): void {
  const [first] = pages;
  const last = pages.at(-1);
  if (first?.place === undefined || last === undefined || pages.length < 2 || !isStill(pages, steps)) return;
  const earlier = new Set(pages.slice(0, -1).flatMap(({ listed }) => (listed ?? []).map(({ item }) => item)));
  const isOwn = (name: ItemName): boolean => items.find(name)?.madeBy !== undefined;
  const shown = (last.listed ?? []).map(({ item }) => item);
  const twice = shown.filter((name) => earlier.has(name));
  // In a shared collection, creates by other clients shift one item each.
  const isAlone =
    items.chainTo(first.place.collection).length > 0 || [...earlier, ...shown].every((name) => isOwn(name));
  const own = twice.find(isOwn);
  const madeBy = own === undefined ? undefined : items.find(own)?.madeBy;
  // If the newest items are first, creates by other clients shift all later items.
  const made = [...new Set([...earlier, ...shown])].flatMap((name) => items.find(name)?.madeBy?.index ?? []);
  const isOldestFirst = made.every((index, place) => index >= (made[place - 1] ?? 0));
  const isSteady = steadyTotal(pages) !== undefined;
  if (madeBy === undefined || !(isAlone || isSteady || (twice.length > 1 && isOldestFirst))) return;
  conclude('page-overlap', {
    of: last,
    shownBy: [...items.chainTo(first.place.collection), madeBy, ...pages],
    clause: quoteDocument(
      first.operation?.pointer ?? '',
      'its pages show the items of the collection one after the other',
    ),
    expected: 'items that no page before has shown',
    received: 'an item of a page before',
    cause: 'an item on two pages',
  });
}
