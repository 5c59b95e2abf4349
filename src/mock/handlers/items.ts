import type { DeclaredResponse, Operation, OperationKind, Resource } from '../../contract/contract.ts';
import { decodePathText } from '../../contract/read-parameters.ts';
import { concreteCollection } from '../../contract/router.ts';
import { declaresRefusal, findExactResponse, isSuccess } from '../../contract/responses.ts';
import { canonicalPath } from '../../http/path.ts';
import { memberAt } from '../../json/pointer.ts';
import { parseJson, parseJsonValue } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Answers } from '../../policy/question.ts';
import type { ValidationMode } from '../../schema/compile.ts';
import { schemaTypes } from '../../schema/walk.ts';
import type { Refuse } from '../answer/refusal.ts';
import { chooseSentMedia } from '../answer/representation.ts';
import type { Sampling } from '../answer/sample-body.ts';
import { describeIdProblem, prepareKeyCheck } from '../answer/shown-item.ts';
import { inNextTurn } from '../clock.ts';
import { applyJsonPatch, applyMergePatch } from './patch.ts';
import { type MaybePromise, type MockResponse, policyClause, shorten, whenThere } from '../message.ts';
import {
  type Store,
  type StoredResource,
  type StoreKey,
  type StoreOutcome,
  type SwapOutcome,
  toStoreKey,
  type TreeOutcome,
} from '../store/store.ts';
import { prepareConditionalRequests } from './conditional-requests.ts';
import type { HandlerStep } from './handler-step.ts';
import { prepareMadeValues } from './made-values.ts';
import { createLocator, createResourceWriter, markSample, type Shown } from './resource-view.ts';
import { type KeptBody, type OperationHandler, prepareStoredForm, type ValidRequest } from './stored-form.ts';

/** What the handlers of a resource are made of. */
export interface HandlerInput<Kind extends OperationKind> {
  readonly operation: Operation;
  readonly kind: Kind;
  readonly policy: Policy;
  readonly reading: ValidationMode;
  readonly store: Store;
  readonly refuse: Refuse;
  /** The time of the mock, in milliseconds since 1970. */
  readonly clock: () => number;
  /** Left out where nothing is made up. */
  readonly sampling: Sampling | undefined;
  /** All operations on its resource, this one among them. */
  readonly siblings: readonly Operation[];
  /** The parent that its items require; undefined if they require none. */
  readonly parent?: ParentRule | undefined;
}

/** The parent that a request requires: the item that the path of the request goes through. */
export interface ParentRule {
  /** The places where the parent may be kept. */
  readonly placesOf: (path: string) => readonly [ItemPlace, ...ItemPlace[]];
  /** Answers that there is no such parent. */
  readonly refuse: (path: string) => MockResponse;
}

/** Says what is wrong with an item, as a sentence; undefined where nothing is. */
export type WholeCheck = (item: JsonObject) => string | undefined;

/** What becomes of an item: how it is kept, and how the response shows it. */
interface KeptItem {
  readonly stored: StoredResource;
  readonly shown: Shown;
}

type ItemKind = Extract<OperationKind, { kind: 'read' | 'replace' | 'update' | 'delete' | 'action' }>;

/** Where an item is kept. */
export interface ItemPlace {
  /** The concrete path of its collection. */
  readonly collection: string;
  readonly key: StoreKey;
  /** The id as a JSON value; undefined for a singleton, which has none. */
  readonly id: JsonValue | undefined;
}

/** A singleton is kept alone in a collection of its own path. */
export const singletonKey = 0;

/** Prepares the finding of the item that a request names: its id is read as the schema of its key says. */
function createFinder(
  kind: ItemKind,
  operation: Operation,
): (request: ValidRequest) => readonly [ItemPlace, ...ItemPlace[]] {
  const { resource } = kind;
  const { key, parameter } = resource;
  const declared = operation.parameters.find((each) => each.in === 'path' && each.name === parameter)?.schema
    ?.schema;
  const types = declared === undefined ? new Set<string>() : schemaTypes(declared, declared);
  const isText = types.has('string') && !types.has('integer') && !types.has('number');
  const inBody = parameter === undefined || !operation.path.template.includes(`{${parameter}}`);
  return ({ path, parameters, content }) => {
    const collection = concreteCollection(resource, path);
    if (resource.kind === 'singleton') return [{ collection, key: singletonKey, id: undefined }];
    if (inBody && key.kind !== 'none' && content.kind === 'value' && 'request' in kind) {
      const id = memberAt(content.value, [...kind.request, key.property]);
      return [{ collection, key: toStoreKey(id ?? null), id }];
    }
    const text = (parameter === undefined ? undefined : parameters[parameter]) ?? '';
    return placesOf(collection, text, isText || key.kind === 'none');
  };
}

/** The places of an item by its path segment: "7" may be the number or the text; the schema of the parameter decides the order. */
export function placesOf(
  collection: string,
  segment: string,
  isText: boolean,
): readonly [ItemPlace, ...ItemPlace[]] {
  const text = decodePathText(segment);
  const asText = { collection, key: toStoreKey(text), id: text };
  const id = parseJsonValue(text);
  if (id === undefined || !/^-?\d/u.test(text)) return [asText];
  const asNumber = { collection, key: toStoreKey(id), id };
  return isText ? [asText, asNumber] : [asNumber, asText];
}

/** Prepares the parent that requests below the items of a resource require. */
export function prepareParent(resource: Resource, refuse: Refuse): ParentRule {
  const segmentOf = (path: string): string => {
    const depth = concreteCollection(resource, path).replace(/\/$/u, '').split('/').length;
    return canonicalPath(path).split('/')[depth] ?? '';
  };
  const find = (path: string) => placesOf(concreteCollection(resource, path), segmentOf(path), false);
  let last: { readonly path: string; readonly places: ReturnType<typeof find> } | undefined;
  return {
    placesOf(path) {
      // A create needs them twice: before its body is kept, and in the step that keeps it.
      if (last?.path !== path) last = { path, places: find(path) };
      return last.places;
    },
    refuse: (path) => refuseMissing(refuse, segmentOf(path), concreteCollection(resource, path)),
  };
}

/**
 * Has a handler answer requests below an item only where that is there.
 *
 * @param orphans - the resource of the handler, where what is kept of it is there without the item above too
 */
export function requireParent({
  parent,
  orphans,
  store,
}: Pick<HandlerInput<never>, 'store'> & {
  readonly parent: ParentRule;
  readonly orphans: Resource | undefined;
}): HandlerStep {
  return (request, next) =>
    whenThere(findItem(store, parent.placesOf(request.path)), (found) => {
      if (found !== undefined) return next(request);
      const own = orphans && concreteCollection(orphans, request.path);
      return whenThere(own === undefined ? 0 : store.count(own), (count) =>
        count > 0 ? next(request) : parent.refuse(request.path),
      );
    });
}

function refuseMissing(refuse: Refuse, segment: string, collection: string): MockResponse {
  const message = `There is no ${shorten(decodePathText(segment))} in ${shorten(collection)}.`;
  return refuse({ condition: 'not-found', message });
}

/** An item that is there. */
interface FoundItem extends ItemPlace {
  readonly text: string;
}

/** The first of some places where something is kept; undefined where nothing is. */
function findItem(
  store: Store,
  [first, ...others]: readonly ItemPlace[],
): MaybePromise<FoundItem | undefined> {
  if (first === undefined) return undefined;
  return whenThere(store.get(first.collection, first.key), (text) =>
    text === undefined ? findItem(store, others) : { ...first, text },
  );
}

/** The id that a resource is stored under. */
export function parseStoreKey(key: StoreKey): JsonValue {
  const id = parseJsonValue(String(key));
  return id === undefined ? key : id;
}

/** Reads the text of a stored resource. */
export function parseStored(text: string): { readonly resource: JsonObject; readonly exact: boolean } {
  const stored = parseJson(text);
  // What is stored is an object that was valid once.
  return stored.kind === 'json' && isJsonObject(stored.value)
    ? { resource: stored.value, exact: stored.exact }
    : { resource: {}, exact: false };
}

/**
 * Prepares what is done with one item, or with a singleton: reading, replacing (RFC 9110 §9.3.4), updating by a merge patch
 * (RFC 7396) or a patch of operations (RFC 6902), deleting, and actions that answer with it.
 *
 * @param input.checkWhole - says what is wrong with a whole item that an update leads to, as a sentence
 * @throws ClocheError SCHEMA_UNUSABLE where a schema cannot be compiled
 */
export function prepareItem(
  input: HandlerInput<ItemKind> & { readonly checkWhole: WholeCheck | undefined },
): OperationHandler {
  const { operation, kind, policy, reading, store, refuse, siblings, checkWhole, parent } = input;
  const { resource } = kind;
  const find = createFinder(kind, operation);
  const form = prepareStoredForm(operation, resource.key, policy);
  const created = findExactResponse(operation, 201);
  const other =
    created && operation.responses.find((each) => each !== created && isSuccess(each) && isShownIn(each));
  const write = createResourceWriter(operation, reading, kind.response, other ?? created);
  // RFC 9110 §9.3.4: a PUT that creates says so, wherever the document lets it.
  const writeCreated = created && createResourceWriter(operation, reading, kind.response, created);
  const locate = created && createLocator(operation, created, siblings);
  const made = prepareMadeValues(input);
  const conditions = prepareConditionalRequests(input);
  const isShowable = prepareKeyCheck(resource.key, input);
  /** What a singleton is before anybody has changed it. */
  const untouched = resource.kind === 'singleton' ? stringifyJson(made.initial()) : undefined;
  // The document lets any change be sent: only a refusal that it declares as well may answer one.
  const judgeWhole = declaresRefusal(operation) ? checkWhole : undefined;
  /** No patch makes an item longer: it may be as long as a body. */
  const longest = Math.max(2 ** 20, policy['body-limit'].bytes);
  const mayCreate =
    resource.kind === 'singleton' || (kind.kind === 'replace' && policy['unknown-key-replaced'] === 'create');
  const show = (text: string): MockResponse => write({ ...parseStored(text), extras: undefined });

  function showCreated(request: ValidRequest, shown: Shown): MockResponse {
    const location = locate?.(request, find(request)[0].id ?? null);
    return writeCreated?.(shown, location) ?? write(shown);
  }

  function refuseGone(request: ValidRequest): MockResponse {
    const { path, parameters } = request;
    const segment = resource.parameter === undefined ? undefined : parameters[resource.parameter];
    if (segment !== undefined) return refuseMissing(refuse, segment, concreteCollection(resource, path));
    const [{ collection, id }] = find(request);
    if (resource.kind === 'singleton')
      return refuse({ condition: 'not-found', message: `There is nothing at ${shorten(collection)}.` });
    if (id === undefined || id === '') {
      const name = resource.key.kind === 'none' ? 'id' : resource.key.property;
      const message = `The request names no item: its body has no ${JSON.stringify(name)}.`;
      return refuse({ condition: 'not-found', message });
    }
    return refuseMissing(refuse, typeof id === 'string' ? id : stringifyJson(id), collection);
  }

  /** Refuses an id under which an item cannot be created, as no URL addresses it; undefined for any other id. */
  function refuseId(request: ValidRequest): MockResponse | undefined {
    const [{ collection, id }] = find(request);
    const problem =
      mayCreate && id !== undefined && resource.parameter !== undefined
        ? describeIdProblem(id, collection)
        : undefined;
    const isInPath = Object.hasOwn(request.parameters, resource.parameter ?? '');
    const condition = isInPath ? 'invalid-parameter' : 'invalid-body';
    return problem === undefined
      ? undefined
      : refuse({ condition, message: `The request is not valid: its id ${problem}.` });
  }

  function bodyOf({ content }: ValidRequest): JsonValue | undefined {
    return content.kind === 'value' && 'request' in kind ? memberAt(content.value, kind.request) : undefined;
  }

  /**
   * What is kept of what a request leads to, which is changed: the id, and what only the service writes, stay as they are. An
   * item may have very many members, so that it is not copied.
   */
  function toKept(
    { path }: ValidRequest,
    place: ItemPlace,
    sent: Pick<KeptBody, 'resource' | 'undeclared'>,
    former: JsonObject | undefined,
  ): KeptItem {
    const { undeclared } = sent;
    const whole =
      former === undefined ? made.complete(sent.resource, path) : made.renew(sent.resource, former);
    if (resource.key.kind !== 'none' && place.id !== undefined)
      setOwn(whole, resource.key.property, place.id);
    const item = undeclared === undefined ? whole : { ...whole, ...undeclared };
    const exact = holdsExactNumber(item);
    const text = exact ? stringifyJson(item) : JSON.stringify(item);
    const { collection } = place;
    return {
      stored: form.toStored({ collection, resource: whole, undeclared, text }, place.key),
      shown: { resource: item, exact, extras: undefined },
    };
  }

  /** Where an item is kept that is not there yet: under an id that answers can show; undefined where the path names none. */
  function placeNew(request: ValidRequest): ItemPlace | undefined {
    return find(request).find(({ id }) => id === undefined || isShowable(id));
  }

  /** Reads the item and stores what `work` returns; starts again if another client changed the item meanwhile. */
  function change(
    request: ValidRequest,
    work: (
      place: ItemPlace,
      former: JsonObject | undefined,
      was: string,
    ) => MaybePromise<KeptItem | MockResponse>,
    attempt = 1,
  ): MaybePromise<MockResponse> {
    return whenThere(findItem(store, find(request)), (found) => {
      const place = found ?? (mayCreate ? placeNew(request) : undefined);
      if (place === undefined) return refuseId(request) ?? refuseGone(request);
      const was = found?.text ?? untouched;
      const former = was === undefined ? undefined : parseStored(was).resource;
      const worked =
        conditions.check(request, was) ?? inNextTurn(was?.length ?? 0, () => work(place, former, was ?? ''));
      return whenThere(worked, (kept) => ('status' in kept ? kept : keep(found, kept)));
    });

    function keep(found: FoundItem | undefined, { stored, shown }: KeptItem): MaybePromise<MockResponse> {
      const outcome: MaybePromise<StoreOutcome | SwapOutcome> =
        found === undefined
          ? store.insertIfAbsent({ ...stored, parents: parent?.placesOf(request.path) })
          : store.swap(stored, found.text);
      return whenThere(outcome, ({ kind: came }) => {
        if (came === 'stored') {
          const isCreated = found === undefined && resource.kind !== 'singleton';
          return inNextTurn(stored.text.length, () =>
            conditions.tag(isCreated ? showCreated(request, shown) : write(shown), stored.text),
          );
        }
        if (came === 'parent-missing') return parent?.refuse(request.path) ?? refuseGone(request);
        if (came !== 'claim-taken')
          return attempt < mostAttempts ? change(request, work, attempt + 1) : refuseBusy();
        return refuse({
          condition: 'duplicate-value',
          message: "A value that must be unique is another item's.",
        });
      });
    }
  }

  function refuseBusy(): MockResponse {
    const message = 'Others changed the item again and again while this change was made: send it again.';
    return refuse({ condition: 'precondition-failed', message });
  }

  /** Takes a body that the document allows, and that is no item, and changes none. */
  function leave(request: ValidRequest): MaybePromise<MockResponse> {
    return whenThere(findItem(store, find(request)), (found) =>
      found === undefined && !mayCreate ? refuseGone(request) : markSample(show(found?.text ?? '{}')),
    );
  }

  function replace(request: ValidRequest): MaybePromise<MockResponse> {
    // What is no JSON, or an envelope that is not there, says nothing of the item.
    const body = bodyOf(request) ?? {};
    if (!isJsonObject(body)) return leave(request);
    return change(request, (place, former) => toKept(request, place, form.split({ ...body }), former));
  }

  function update(request: ValidRequest): MaybePromise<MockResponse> {
    const patch = bodyOf(request) ?? {};
    const sent = (request.content.kind === 'value' ? request.content.text?.length : undefined) ?? 0;
    if (isPlainJson(request) && !isJsonObject(patch) && !Array.isArray(patch)) return leave(request);
    return change(request, (place, former, was) => {
      const patched = Array.isArray(patch)
        ? applyJsonPatch(former ?? {}, patch)
        : {
            value: applyPatch(former ?? {}, patch, isPlainJson(request) ? policy['patch-notation'] : 'merge'),
          };
      if ('problem' in patched) return refuseUpdate(`The patch cannot be applied: ${patched.problem}.`);
      const { value } = patched;
      if (!isJsonObject(value)) return refuseUpdate('What the patch leads to is no object.');
      const nulled = isPlainJson(request) ? withNulls(value, patch) : undefined;
      // What an item has to have, and may be null, is not taken away by plain JSON.
      const isKept = nulled && checkWhole?.(value) !== undefined && checkWhole(nulled) === undefined;
      const changed = isKept ? nulled : value;
      const wrong = judgeWhole?.(changed);
      // An item that never was whole, of a create without a body say, may be changed for all that.
      if (wrong !== undefined && (former === undefined || judgeWhole?.(former) === undefined))
        return refuseUpdate(wrong);
      return inNextTurn(sent + was.length, () => {
        const kept = toKept(request, place, { resource: changed, undeclared: undefined }, former);
        const { length } = kept.stored.text;
        if (length <= Math.max(longest, was.length)) return kept;
        const most = longest.toLocaleString('en');
        return refuseUpdate(
          `The patch cannot be applied: the item would have ${length.toLocaleString('en')} characters of JSON, and ${most} is the maximum.`,
        );
      });
    });
  }

  function refuseUpdate(message: string): MockResponse {
    return refuse({ condition: 'invalid-body', message });
  }

  function remove(request: ValidRequest, attempt = 1): MaybePromise<MockResponse> {
    return whenThere(findItem(store, find(request)), (found) => {
      if (found === undefined)
        return policy['deleted-again'] === 'success' ? show('{}') : refuseGone(request);
      const refused = conditions.check(request, found.text);
      if (refused !== undefined) return refused;
      return whenThere(deleteFound(request, found), (outcome) => {
        if (outcome === 'deleted') return show(found.text);
        if (outcome === 'not-empty') return refuseNotEmpty();
        return attempt < mostAttempts ? remove(request, attempt + 1) : refuseBusy();
      });
    });
  }

  function deleteFound({ path }: ValidRequest, found: FoundItem): MaybePromise<TreeOutcome> {
    const { collection, key, text: was } = found;
    const below = { cascade: 'delete', refuse: 'refuse', keep: undefined } as const;
    const mode = below[policy['deleted-parent']];
    return mode === undefined
      ? whenThere(store.delete(collection, key, was), (isGone) => (isGone ? 'deleted' : 'absent'))
      : store.deleteTree({ collection, key, was, path: canonicalPath(path), below: mode });
  }

  function refuseNotEmpty(): MockResponse {
    const message = 'The item cannot be deleted while there are others below it.';
    const clause = policyClause('deleted-parent', 'refuse');
    return refuse({ condition: 'not-empty', message, problems: () => [{ reason: message, clause }] });
  }

  function read(request: ValidRequest): MaybePromise<MockResponse> {
    return whenThere(findItem(store, find(request)), (found) => {
      const text = found?.text ?? untouched;
      if (text === undefined) return refuseGone(request);
      return conditions.check(request, text) ?? conditions.tag(show(text), text);
    });
  }

  const handle = { read, action: read, replace, update, delete: remove }[kind.kind];
  return kind.kind === 'replace' ? made.afterLoading(handle) : handle;
}

/** Whether an item may stand in a response: where it declares a list alone it does not. */
function isShownIn({ media }: DeclaredResponse): boolean {
  const schema = chooseSentMedia(media)?.media.schema?.schema;
  const types = schemaTypes(schema ?? true);
  return types.size === 0 || types.has('object');
}

/** Others change an item that often between a read and a write only where something is wrong. */
const mostAttempts = 200;

/** Whether a body is a patch in a notation that does not say what it means, rather than RFC 7396 or RFC 6902. */
function isPlainJson({ content }: ValidRequest): boolean {
  return content.kind === 'value' && !/patch\+json/iu.test(content.media.range);
}

/** An object with what a patch sets to null; undefined where that is nothing. */
function withNulls(merged: JsonObject, patch: JsonValue | undefined): JsonObject | undefined {
  const nulls = Object.entries(isJsonObject(patch) ? patch : {}).filter(([, value]) => value === null);
  return nulls.length === 0 ? undefined : { ...merged, ...Object.fromEntries(nulls) };
}

/** What a patch leads to; in `shallow-merge` a property that is sent replaces the old one as a whole. */
function applyPatch(former: JsonObject, patch: JsonValue, notation: Answers['patch-notation']): JsonValue {
  if (notation === 'merge' || !isJsonObject(patch)) return applyMergePatch(former, patch);
  if (notation === 'replace') return { ...patch };
  const merged = { ...former };
  for (const [name, value] of Object.entries(patch)) setOwn(merged, name, value);
  return merged;
}
