import type { Contract, Operation } from '../../contract/contract.ts';
import { readCreatedId } from '../../contract/created-key.ts';
import { idText } from '../../contract/list-pages.ts';
import { findBodyRelations } from '../../contract/relations.ts';
import { keptRole } from '../../contract/resources.ts';
import { findResponseMedia } from '../../http/codecs/registry.ts';
import { isAbsentStatus } from '../../http/status.ts';
import { holdsSame } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { schemaAt } from '../../schema/properties.ts';
import { schemasInPlace } from '../../schema/walk.ts';
import { describeValue } from '../../policy/policy.ts';
import type { BehaviourValues } from '../../policy/behaviour.ts';
import { compareIds } from '../../policy/behaviours/list-order.ts';
import { describeReceived, nameOperation } from '../describe.ts';
import { quoteBehaviour } from '../finding.ts';
import { type ItemName, itemName, type Place, readSteps, type Step } from '../stateful/trace-steps.ts';
import { jsonContent } from '../classify/answer.ts';
import { type CheckedExchange, contextOf, type TraceCheck } from '../classify/subject.ts';
import { isEnforced, readWholeList, sentItem } from './resources.ts';

/** The behaviours of resources that only several exchanges show. */
export type TraceBehaviour =
  | 'unknown-key-replaced'
  | 'deleted-again'
  | 'deleted-parent'
  | 'patch-notation'
  | 'list-order'
  | 'list-default-limit'
  | 'missing-parent'
  | 'dangling-reference';

/** A behaviour of the service that successive exchanges show. */
interface SeenAnswer {
  readonly question: TraceBehaviour;
  /** The exchange that it is reported for. */
  readonly of: CheckedExchange;
  readonly agrees: (answer: JsonValue) => boolean;
  /** The observation, in words that are the same in each run. */
  readonly seen: string;
  /** The create and the delete of an item: the observation proves nothing if another request recreated it between. */
  readonly unlessMadeAgain?: { readonly made: CheckedExchange; readonly deleted: CheckedExchange };
}

/**
 * Checks a service against the policy by the resources that a trace created, and those that a read in it did not find.
 * It concludes nothing about other items, as other clients may create and delete them.
 */
export const checkResourceAnswers: TraceCheck = (trace, runContext) =>
  readResourceAnswers(trace, runContext.contract).flatMap((answer) => {
    const { question, of, agrees, seen, unlessMadeAgain } = answer;
    const { operation } = of;
    const context = contextOf(runContext, operation);
    const { enforced, policy } = context;
    if (!enforced.has(question) || agrees(policy[question])) return [];
    if (!isEnforced(question, operation, context)) return [];
    const { made, deleted } = unlessMadeAgain ?? {};
    if (made && deleted && runContext.mayBeMadeAgain?.(made, deleted, of) === true) return [];
    return [
      {
        check: 'drift',
        level: 'violation',
        operation: nameOperation(of),
        clause: quoteBehaviour(question),
        expected: describeValue(question, policy[question]),
        received: `${seen} (${describeReceived(of.answer)})`,
        cause: `${question} ${seen}`,
      },
    ];
  });

/** An item that the trace created. */
interface OwnItem {
  readonly collection: string;
  readonly id: JsonValue;
  readonly sent: JsonObject;
  readonly by: CheckedExchange;
}

/** The state of a trace up to a step. */
interface Life {
  /** In the order of their creation. */
  readonly own: Map<ItemName, OwnItem>;
  /** By the exchanges that deleted them. */
  readonly deleted: Map<ItemName, CheckedExchange>;
  /** The items that a read did not find, and that no later request created. */
  readonly missing: Set<ItemName>;
  /** The representations in the last read of each item. */
  readonly shown: Map<ItemName, JsonObject>;
  /** The number of items in the last whole list, and the number of the trace's own items at that time. */
  readonly lists: Map<string, { readonly count: number; readonly made: number }>;
  /** The last update of an item, until it is read again. */
  readonly updates: Map<ItemName, CheckedExchange>;
  /** The operations that succeeded for ordinary items. */
  readonly plain: Set<Operation>;
}

/** Reads the behaviours of resources that a trace shows, in its order. */
export function readResourceAnswers(
  trace: readonly CheckedExchange[],
  contract: Contract,
): readonly SeenAnswer[] {
  const life: Life = {
    own: new Map(),
    deleted: new Map(),
    missing: new Set(),
    shown: new Map(),
    lists: new Map(),
    updates: new Map(),
    plain: new Set(),
  };
  return readSteps(trace, contract).flatMap((step) => {
    const { judged, operation, role, place } = step;
    if (operation === undefined || place === undefined || role === undefined || role.kind === 'action')
      return [];
    return readers[role.kind]({ ...step, life, operation, operations: contract.operations, place }).map(
      (seen) => ({ of: judged, ...seen }),
    );
  });
}

interface LifeStep extends Step {
  readonly life: Life;
  readonly operation: Operation;
  readonly operations: readonly Operation[];
  readonly place: Place;
}

/** An observation belongs to the exchange that shows it, unless it names another one. */
type Reader = (step: LifeStep) => readonly (Omit<SeenAnswer, 'of'> & Partial<Pick<SeenAnswer, 'of'>>)[];

/** Returns an observation that agrees with some policy values. */
function answers<Id extends TraceBehaviour>(
  question: Id,
  seen: string,
  ...agreeing: readonly BehaviourValues[Id][]
): readonly Omit<SeenAnswer, 'of'>[] {
  return [{ question, seen, agrees: (answer) => agreeing.some((each) => each === answer) }];
}

const ownIn = ({ own }: Life, path: string): readonly OwnItem[] =>
  [...own.values()].filter(({ collection }) => collection === path);

const above = (path: string): string => path.slice(0, path.lastIndexOf('/'));

function seenOf(of: CheckedExchange, all: ReturnType<Reader>): ReturnType<Reader> {
  return all.map((seen) => ({ ...seen, of }));
}

/** The statuses by which a service rejects a request because of its state (RFC 9110 §15.5). */
const ofState = new Set([400, 403, 404, 409, 410, 422]);

const readers: Readonly<Record<'create' | 'list' | 'read' | 'replace' | 'update' | 'delete', Reader>> = {
  create({ life, judged, operation, operations, place: { collection }, status, outcome }) {
    const sent = sentItem(judged) ?? {};
    const isDone = outcome === 'done';
    const isBelowNothing = life.missing.has(above(collection));
    const isDangling = findBodyRelations(operation, operations).some(
      ({ property, resource, isList }) =>
        Object.hasOwn(sent, property) &&
        !isList &&
        resource.parent === undefined &&
        life.missing.has(itemName(resource.collection, idText(sent[property] ?? null))),
    );
    if (isDone && !isBelowNothing && !isDangling) {
      life.plain.add(operation);
      const id = createdId(judged, operation);
      if (id !== undefined) {
        life.own.set(itemName(collection, idText(id)), { collection, id, sent, by: judged });
      }
    }
    if (isDangling && !isBelowNothing) {
      if (isDone) return answers('dangling-reference', 'accepted', 'accept');
      // If two similar items were accepted, no value has to be unique.
      const isBlamed = ownIn(life, collection).length > 1 && ofState.has(status);
      return isBlamed ? answers('dangling-reference', 'refused', 'refuse') : [];
    }
    if (!isBelowNothing) return [];
    if (isDone) return answers('missing-parent', 'an item was created', 'create');
    return isAbsentStatus(status) && life.plain.has(operation)
      ? answers('missing-parent', 'no item could be created', 'not-found', 'empty-list')
      : [];
  },

  list({ life, judged, operation, place: { collection }, status, outcome }) {
    if (life.missing.has(above(collection))) {
      if (outcome === 'done') return answers('missing-parent', 'the list is there', 'empty-list', 'create');
      return isAbsentStatus(status) && life.plain.has(operation)
        ? answers('missing-parent', 'the list is not found', 'not-found')
        : [];
    }
    if (outcome === 'done') life.plain.add(operation);
    const items = readWholeList(judged);
    const own = ownIn(life, collection);
    const places = new Map(own.map(({ id }, place) => [idText(id), place]));
    const shown = (items ?? []).flatMap(({ id }) => places.get(idText(id)) ?? []);
    // A list without any of them may show them later, or be a list of other items.
    if (items === undefined || own.length < fewest || shown.length === 0) return [];
    const before = life.lists.get(collection);
    life.lists.set(collection, { count: items.length, made: own.length });
    // Items that disappear are not read again, and items that appear late make a list longer.
    const isLacking = own.some(
      ({ id }, place) => !shown.includes(place) && life.shown.has(itemName(collection, idText(id))),
    );
    const isCut = isLacking && before?.count === items.length && before.made < own.length;
    const isFull = isCut && items.length >= mostItems(judged);
    return [
      ...(shown.length < fewestShown ? [] : readOrder(shown, own)),
      ...((isCut && !isFull) || shown.length === own.length ? readLimit(items.length, isCut) : []),
    ];
  },

  read({ life, place: { item = '' }, status, outcome, shown }) {
    const wasOwn = life.own.has(item) && !life.deleted.has(item);
    const [, deletion] = [...life.deleted].find(([each]) => item.startsWith(`${each}/`)) ?? [];
    if (isAbsentStatus(status)) {
      if (wasOwn && deletion !== undefined) {
        return seenOf(deletion, answers('deleted-parent', 'what lay below is gone', 'cascade'));
      }
      life.shown.delete(item);
      // An item that was just created may appear late.
      if (!wasOwn) life.missing.add(item);
      return [];
    }
    if (outcome !== 'done') return [];
    life.missing.delete(item);
    if (wasOwn && deletion !== undefined) {
      return seenOf(deletion, answers('deleted-parent', 'what lay below is there', 'keep'));
    }
    const update = life.updates.get(item);
    const before = life.shown.get(item);
    const sent = life.own.get(item)?.sent;
    life.shown.set(item, shown?.value ?? {});
    life.updates.delete(item);
    if (update === undefined || before === undefined || sent === undefined) return [];
    const patch = sentItem(update) ?? {};
    return seenOf(update, readNotation({ patch, before, shown: shown?.value ?? {}, sent }));
  },

  replace({ life, operation, place: { item = '' }, status, outcome }) {
    if (!life.missing.has(item)) {
      if (outcome === 'done') life.plain.add(operation);
      return [];
    }
    if (outcome === 'done') {
      life.missing.delete(item);
      return answers('unknown-key-replaced', 'it was created', 'create');
    }
    return isAbsentStatus(status) && life.plain.has(operation)
      ? answers('unknown-key-replaced', 'it was not found', 'not-found')
      : [];
  },

  update({ life, judged, place: { item = '' }, notation, outcome }) {
    // Other notations have a specified meaning (RFC 7396, RFC 6902).
    if (outcome === 'done' && notation === 'plain') life.updates.set(item, judged);
    else life.updates.delete(item);
    return [];
  },

  delete({ life, judged, operation, place: { item = '' }, status, outcome }) {
    const deleted = life.deleted.get(item);
    if (deleted !== undefined) {
      if (isAbsentStatus(status)) return answers('deleted-again', 'it was not found', 'not-found');
      if (outcome !== 'done') return [];
      const made = life.own.get(item)?.by;
      const seen = answers('deleted-again', 'it was accepted again', 'success');
      return made === undefined
        ? seen
        : seen.map((each) => ({ ...each, unlessMadeAgain: { made, deleted } }));
    }
    const isParent = [...life.own.keys()].some(
      (each) => each.startsWith(`${item}/`) && !life.deleted.has(each),
    );
    if (outcome === 'done') {
      if (!isParent) life.plain.add(operation);
      life.deleted.set(item, judged);
      return [];
    }
    const isBlamed = life.own.has(item) && isParent && life.plain.has(operation);
    return isBlamed && ofState.has(status) && !isAbsentStatus(status)
      ? answers('deleted-parent', 'it was refused', 'refuse')
      : [];
  },
};

/** The minimum number of items that show an order that is not by chance. */
const fewest = 6;
/** The minimum number of these items on a page that shows the order. */
const fewestShown = 5;

/** @param shown - places in `own`, which is in the order of creation */
function readOrder(shown: readonly number[], own: readonly OwnItem[]): ReturnType<Reader> {
  const ids = shown.map((place) => own[place]?.id ?? null);
  const isSorted = <Item>(all: readonly Item[], compare: (one: Item, two: Item) => number): boolean =>
    all.every((item, index) => index === 0 || compare(all[index - 1] ?? item, item) <= 0);
  const found: readonly BehaviourValues['list-order'][] = [
    ...(isSorted(shown, (one, two) => one - two) ? (['creation'] as const) : []),
    ...(isSorted(shown, (one, two) => two - one) ? (['newest-first'] as const) : []),
    ...(isSorted(ids, compareIds) ? (['key'] as const) : []),
  ];
  return answers('list-order', found.join(' and ') || 'no order', ...found, 'any');
}

/**
 * @param count - the number of items that a list shows
 * @param isCut - whether items are missing; if not, the limit may be any number from the count on
 */
function readLimit(count: number, isCut: boolean): ReturnType<Reader> {
  const seen = isCut ? `${count} of more items are shown` : 'all items are shown';
  return [{ question: 'list-default-limit', seen, agrees: (answer) => !isCut || answer === count }];
}

/** Returns the maximum number of items that the document allows in a list (JSON Schema 2020-12 validation §6.4.1). */
function mostItems({ operation, answer }: CheckedExchange): number {
  const role = operation && keptRole(operation);
  if (role?.kind !== 'list' || answer.kind === 'none') return Infinity;
  const list = schemaAt(findResponseMedia(answer.declared?.media)?.schema?.schema, role.list.path);
  const most = schemasInPlace(list ?? true, list ?? true).flatMap(({ maxItems }) =>
    typeof maxItems === 'number' ? [maxItems] : [],
  );
  return Math.min(...most);
}

/** Returns the notation of an update by the reads before and after it. */
function readNotation(of: {
  readonly patch: JsonObject;
  readonly before: JsonObject;
  readonly shown: JsonObject;
  /** The properties that created the item, which the client can set. */
  readonly sent: JsonObject;
}): ReturnType<Reader> {
  const { patch, before, shown, sent } = of;
  const known = Object.keys(sent).filter((name) => holdsSame(sent, before, name));
  const left = known.find((name) => !Object.hasOwn(patch, name));
  if (left === undefined) return [];
  if ((shown[left] ?? null) === null)
    return answers('patch-notation', 'what was left out is gone', 'replace');
  // Its change may be a consequence of the update.
  if (!holdsSame(sent, shown, left)) return [];
  const nested = known.find((name) => isNarrowed(patch[name], sent[name]));
  const [inner, after, part] = [sent, shown, patch].map((item) => {
    const value = item[nested ?? ''];
    return isJsonObject(value) ? value : undefined;
  });
  const member = Object.keys(inner ?? {}).find((name) => part !== undefined && !Object.hasOwn(part, name));
  if (nested === undefined || member === undefined) {
    return answers('patch-notation', 'what was left out stays', 'merge', 'shallow-merge');
  }
  return holdsSame(inner, after, member)
    ? answers('patch-notation', 'what was left out within an object stays', 'merge')
    : answers('patch-notation', 'what was left out within an object is gone', 'shallow-merge');
}

/** Returns whether a value is an object that lacks a member of another. */
function isNarrowed(value: JsonValue | undefined, whole: JsonValue | undefined): boolean {
  return (
    isJsonObject(value) &&
    isJsonObject(whole) &&
    Object.keys(whole).some((name) => !Object.hasOwn(value, name))
  );
}

/** Returns the id of the item that a create made; undefined if the exchange does not show it. */
export function createdId({ request, answer }: CheckedExchange, operation: Operation): JsonValue | undefined {
  const { kind } = operation;
  if (kind.kind !== 'create' || answer.kind === 'none') return undefined;
  const sent = request.body.kind === 'valid' ? request.body.value : undefined;
  return readCreatedId(kind, { sent, received: jsonContent(answer), headers: answer.response.headers });
}
