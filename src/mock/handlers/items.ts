import type { DeclaredResponse, Operation, OperationKind } from '../../contract/contract.ts';
import { concreteCollection } from '../../contract/router.ts';
import { declaresRefusal, findExactResponse, isSuccess } from '../../contract/responses.ts';
import { canonicalPath } from '../../http/path.ts';
import { memberAt } from '../../json/pointer.ts';
import { stringifyJson, toText } from '../../json/print.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import type { Policy } from '../../policy/policy.ts';
import type { BehaviourValues } from '../../policy/behaviour.ts';
import type { ValidationMode } from '../../schema/compile.ts';
import { schemaTypes } from '../../schema/walk.ts';
import type { Refuse } from '../answer/refusal.ts';
import { chooseSentMedia } from '../answer/representation.ts';
import type { Sampling } from '../answer/sample-body.ts';
import { describeIdProblem, prepareKeyCheck } from '../answer/shown-item.ts';
import { inNextTurn } from '../clock.ts';
import type { IssuedTokens } from '../request/issued-tokens.ts';
import { applyJsonPatch, applyMergePatch } from './patch.ts';
import { type MaybePromise, type MockResponse, policyClause, shorten, whenThere } from '../message.ts';
import {
  type Store,
  type StoredResource,
  type StoreOutcome,
  type SwapOutcome,
  type TreeOutcome,
} from '../store/store.ts';
import {
  createFinder,
  type FoundItem,
  findItem,
  type ItemKind,
  type ItemPlace,
  type ParentRule,
  parseStored,
  refuseMissing,
} from './item-places.ts';
import { prepareConditionalRequests } from './conditional-requests.ts';
import { prepareMadeValues } from './made-values.ts';
import { createLocator, createResourceWriter, markSample, type Shown } from './resource-view.ts';
import { type KeptBody, type OperationHandler, prepareStoredForm, type ValidRequest } from './stored-form.ts';

/** Input for the handlers of a resource. */
export interface HandlerInput<Kind extends OperationKind> {
  readonly operation: Operation;
  readonly kind: Kind;
  readonly policy: Policy;
  readonly reading: ValidationMode;
  readonly store: Store;
  readonly refuse: Refuse;
  /** Returns the time of the mock, in milliseconds since 1970. */
  readonly clock: () => number;
  /** Omitted if no values are generated. */
  readonly sampling: Sampling | undefined;
  /** The tokens that the mock issued, which identify their users. */
  readonly issued?: IssuedTokens | undefined;
  /** All operations on its resource, including this one. */
  readonly siblings: readonly Operation[];
  /** The parent that its items require; undefined if they require none. */
  readonly parent?: ParentRule | undefined;
}

/** Returns the error in an item, as a sentence; undefined if there is none. */
export type WholeCheck = (item: JsonObject) => string | undefined;

/** The new state of an item: its stored form and the form in the response. */
interface KeptItem {
  readonly stored: StoredResource;
  readonly shown: Shown;
}

/** An item before a change. */
interface Current {
  readonly place: ItemPlace;
  readonly former: JsonObject | undefined;
  /** The text of the item; empty if there is none. */
  readonly was: string;
}

/**
 * Prepares the operations on one item or a singleton: read, replace (RFC 9110 §9.3.4), update by a merge patch (RFC
 * 7396) or a JSON Patch (RFC 6902), delete, and actions that return the item.
 *
 * @param input.checkWhole - returns the error in the whole item after an update, as a sentence
 * @throws ClocheError SCHEMA_UNUSABLE if a schema cannot be compiled
 */
export function prepareItem(input: ItemInput): OperationHandler {
  const parts = prepareParts(input);
  const handler = new ItemHandler(parts);
  const method = input.kind.kind === 'action' ? 'read' : input.kind.kind;
  const handle: OperationHandler = (request) => handler[method](request);
  return method === 'replace' ? parts.made.afterLoading(handle) : handle;
}

type ItemInput = HandlerInput<ItemKind> & { readonly checkWhole: WholeCheck | undefined };

/** Prepares the values that the requests of an operation share. */
function prepareParts(input: ItemInput) {
  const { operation, kind, policy, reading, siblings, checkWhole } = input;
  const { resource } = kind;
  const { key } = resource;
  const created = findExactResponse(operation, 201);
  const others = operation.responses.filter((each) => created && each !== created && isSuccess(each));
  // RFC 9110 §9.3.4: a PUT that replaces returns 200 or 204, also where that response does not show the item.
  const found = others.find(isShownIn) ?? others[0] ?? created;
  const path = found === undefined || isShownIn(found) ? kind.response : undefined;
  const write = createResourceWriter(operation, reading, { path, found });
  // RFC 9110 §9.3.4: a PUT that creates returns 201 if the document declares it.
  const writeCreated =
    created && createResourceWriter(operation, reading, { path: kind.response, found: created });
  const locate = created && createLocator(operation, created, siblings);
  const made = prepareMadeValues(input);
  /** The state of a singleton before the first change. */
  const untouched = resource.kind === 'singleton' ? stringifyJson(made.initial()) : undefined;
  // The document accepts any change in a request, so only a declared error response may reject one.
  const judgeWhole = declaresRefusal(operation) ? checkWhole : undefined;
  /** The maximum length of an item after a patch: it may be as long as a body. */
  const longest = Math.max(2 ** 20, policy['body-limit'].bytes);
  const mayCreate =
    resource.kind === 'singleton' || (kind.kind === 'replace' && policy['unknown-key-replaced'] === 'create');
  return {
    ...input,
    made,
    key,
    resource,
    write,
    writeCreated,
    locate,
    mayCreate,
    untouched,
    judgeWhole,
    longest,
    find: createFinder(kind, operation),
    form: prepareStoredForm(operation, { key, policy }),
    conditions: prepareConditionalRequests(input),
    isShowable: prepareKeyCheck(key, input),
  };
}

class ItemHandler {
  readonly #parts: ReturnType<typeof prepareParts>;

  constructor(parts: ReturnType<typeof prepareParts>) {
    this.#parts = parts;
  }

  #show(text: string): MockResponse {
    return this.#parts.write({ ...parseStored(text), extras: undefined });
  }

  #showCreated(request: ValidRequest, shown: Shown): MockResponse {
    const location = this.#parts.locate?.(request, this.#parts.find(request)[0].id ?? null);
    return this.#parts.writeCreated?.(shown, location) ?? this.#parts.write(shown);
  }

  #refuseGone(request: ValidRequest): MockResponse {
    const { path, parameters } = request;
    const { resource, refuse, key } = this.#parts;
    const segment = resource.parameter === undefined ? undefined : parameters[resource.parameter];
    if (segment !== undefined) return refuseMissing(refuse, segment, concreteCollection(resource, path));
    const [{ collection, id }] = this.#parts.find(request);
    if (resource.kind === 'singleton')
      return refuse({ condition: 'not-found', message: `There is nothing at ${shorten(collection)}.` });
    if (id === undefined || id === '') {
      const name = key.kind === 'none' ? 'id' : key.property;
      const message = `The request names no item: its body has no ${JSON.stringify(name)}.`;
      return refuse({ condition: 'not-found', message });
    }
    return refuseMissing(refuse, toText(id), collection);
  }

  /** Rejects an id under which an item cannot be created, because no URL addresses it; undefined for any other id. */
  #refuseId(request: ValidRequest): MockResponse | undefined {
    const [{ collection, id }] = this.#parts.find(request);
    const { mayCreate, resource, refuse } = this.#parts;
    if (!mayCreate || id === undefined || resource.parameter === undefined) return undefined;
    const problem = describeIdProblem(id, collection);
    if (problem === undefined) return undefined;
    const isInPath = Object.hasOwn(request.parameters, resource.parameter);
    const condition = isInPath ? 'invalid-parameter' : 'invalid-body';
    return refuse({ condition, message: `The request is not valid: its id ${problem}.` });
  }

  #bodyOf({ content }: ValidRequest): JsonValue | undefined {
    return content.kind === 'value' && 'request' in this.#parts.kind
      ? memberAt(content.value, this.#parts.kind.request)
      : undefined;
  }

  /**
   * Returns the item to store after a request. The id and the members that only the service writes stay as they are.
   * The resource is changed in place, because an item may have very many members.
   */
  #toKept(
    { path }: ValidRequest,
    { place, former }: Current,
    { resource, undeclared }: Pick<KeptBody, 'resource' | 'undeclared'>,
  ): KeptItem {
    const { made, form, key } = this.#parts;
    const whole = former === undefined ? made.complete(resource, path) : made.renew(resource, former);
    if (key.kind !== 'none' && place.id !== undefined) setOwn(whole, key.property, place.id);
    const item = undeclared === undefined ? whole : { ...whole, ...undeclared };
    const exact = holdsExactNumber(item);
    const text = exact ? stringifyJson(item) : JSON.stringify(item);
    const { collection } = place;
    return {
      stored: form.toStored({ collection, resource: whole, undeclared, text }, place.key),
      shown: { resource: item, exact, extras: undefined },
    };
  }

  /** Returns the place for a new item, under an id that responses can show; undefined if the path has none. */
  #placeNew(request: ValidRequest): ItemPlace | undefined {
    return this.#parts.find(request).find(({ id }) => id === undefined || this.#parts.isShowable(id));
  }

  #findItem(request: ValidRequest): MaybePromise<FoundItem | undefined> {
    return findItem(this.#parts.store, this.#parts.find(request));
  }

  /** Reads the item and stores what `work` returns; starts again if another client changed the item meanwhile. */
  #change(
    request: ValidRequest,
    work: (current: Current) => MaybePromise<KeptItem | MockResponse>,
    attempt = 1,
  ): MaybePromise<MockResponse> {
    const { mayCreate, untouched, conditions, store, parent, resource, write } = this.#parts;
    const keep = (found: FoundItem | undefined, { stored, shown }: KeptItem): MaybePromise<MockResponse> => {
      const outcome: MaybePromise<StoreOutcome | SwapOutcome> =
        found === undefined
          ? store.insertIfAbsent({ ...stored, parents: parent?.placesOf(request.path) })
          : store.swap(stored, found.text);
      return whenThere(outcome, ({ kind }) => {
        if (kind === 'stored') {
          const isCreated = found === undefined && resource.kind !== 'singleton';
          return inNextTurn(stored.text.length, () =>
            conditions.tag(isCreated ? this.#showCreated(request, shown) : write(shown), stored.text),
          );
        }
        if (kind === 'parent-missing') return parent?.refuse(request.path) ?? this.#refuseGone(request);
        if (kind !== 'claim-taken')
          return attempt < mostAttempts ? this.#change(request, work, attempt + 1) : this.#refuseBusy();
        const message = "A value that must be unique is another item's.";
        return this.#parts.refuse({ condition: 'duplicate-value', message });
      });
    };
    return whenThere(this.#findItem(request), (found) => {
      const place = found ?? (mayCreate ? this.#placeNew(request) : undefined);
      if (place === undefined) return this.#refuseId(request) ?? this.#refuseGone(request);
      const was = found?.text ?? untouched;
      const former = was === undefined ? undefined : parseStored(was).resource;
      const worked =
        conditions.check(request, was) ??
        inNextTurn(was?.length ?? 0, () => work({ place, former, was: was ?? '' }));
      return whenThere(worked, (kept) => ('status' in kept ? kept : keep(found, kept)));
    });
  }

  #refuseBusy(): MockResponse {
    const message = 'Others changed the item again and again while this change was made: send it again.';
    return this.#parts.refuse({ condition: 'precondition-failed', message });
  }

  /** Accepts a body that the document allows but that is not an item. It changes nothing. */
  #leave(request: ValidRequest): MaybePromise<MockResponse> {
    return whenThere(this.#findItem(request), (found) =>
      found === undefined && !this.#parts.mayCreate
        ? this.#refuseGone(request)
        : markSample(this.#show(found?.text ?? '{}')),
    );
  }

  replace(request: ValidRequest): MaybePromise<MockResponse> {
    // A body that is not JSON, or a missing envelope, does not specify the item.
    const body = this.#bodyOf(request) ?? {};
    if (!isJsonObject(body)) return this.#leave(request);
    return this.#change(request, (current) =>
      this.#toKept(request, current, this.#parts.form.split({ ...body })),
    );
  }

  update(request: ValidRequest): MaybePromise<MockResponse> {
    const patch = this.#bodyOf(request) ?? {};
    const sent = (request.content.kind === 'value' ? request.content.text?.length : undefined) ?? 0;
    const isPlain = isPlainJson(request);
    if (isPlain && !isJsonObject(patch) && !Array.isArray(patch)) return this.#leave(request);
    const notation = isPlain ? this.#parts.policy['patch-notation'] : 'merge';
    return this.#change(request, (current) => {
      const { former, was } = current;
      const patched = Array.isArray(patch)
        ? applyJsonPatch(former ?? {}, patch)
        : { value: applyPatch(former ?? {}, patch, notation) };
      if ('problem' in patched) return this.#refuseUpdate(`The patch cannot be applied: ${patched.problem}.`);
      const { value } = patched;
      if (!isJsonObject(value)) return this.#refuseUpdate('What the patch leads to is no object.');
      const resource = (isPlain ? this.#keepNulls(value, patch) : undefined) ?? value;
      const wrong = this.#parts.judgeWhole?.(resource);
      // An item that was never complete, for example after a create without a body, may still be changed.
      if (wrong !== undefined && (former === undefined || this.#parts.judgeWhole?.(former) === undefined))
        return this.#refuseUpdate(wrong);
      return inNextTurn(sent + was.length, () => {
        const kept = this.#toKept(request, current, { resource, undeclared: undefined });
        const { length } = kept.stored.text;
        if (length <= Math.max(this.#parts.longest, was.length)) return kept;
        const [count, most] = [length, this.#parts.longest].map((each) => each.toLocaleString('en'));
        return this.#refuseUpdate(
          `The patch cannot be applied: the item would have ${count} characters of JSON, and ${most} is the maximum.`,
        );
      });
    });
  }

  /** Returns an object with the nulls of a patch in plain JSON, if the item must have these properties. */
  #keepNulls(merged: JsonObject, patch: JsonValue): JsonObject | undefined {
    const { checkWhole } = this.#parts;
    const nulled = withNulls(merged, patch);
    const isKept = nulled && checkWhole?.(merged) !== undefined && checkWhole(nulled) === undefined;
    return isKept ? nulled : undefined;
  }

  #refuseUpdate(message: string): MockResponse {
    return this.#parts.refuse({ condition: 'invalid-body', message });
  }

  delete(request: ValidRequest, attempt = 1): MaybePromise<MockResponse> {
    return whenThere(this.#findItem(request), (found) => {
      const isSuccess = this.#parts.policy['deleted-again'] === 'success';
      if (found === undefined) return isSuccess ? this.#show('{}') : this.#refuseGone(request);
      const refused = this.#parts.conditions.check(request, found.text);
      if (refused !== undefined) return refused;
      return whenThere(this.#deleteFound(request, found), (outcome) => {
        if (outcome === 'deleted') return this.#show(found.text);
        if (outcome === 'not-empty') return this.#refuseNotEmpty();
        return attempt < mostAttempts ? this.delete(request, attempt + 1) : this.#refuseBusy();
      });
    });
  }

  #deleteFound({ path }: ValidRequest, found: FoundItem): MaybePromise<TreeOutcome> {
    const { collection, key, text: was } = found;
    const below = { cascade: 'delete', refuse: 'refuse', keep: undefined } as const;
    const mode = below[this.#parts.policy['deleted-parent']];
    return mode === undefined
      ? whenThere(this.#parts.store.delete(collection, key, was), (isGone) => (isGone ? 'deleted' : 'absent'))
      : this.#parts.store.deleteTree({ collection, key, was, path: canonicalPath(path), below: mode });
  }

  #refuseNotEmpty(): MockResponse {
    const message = 'The item cannot be deleted while there are others below it.';
    const clause = policyClause('deleted-parent', 'refuse');
    const problems = () => [{ reason: message, clause }];
    return this.#parts.refuse({ condition: 'not-empty', message, problems });
  }

  read(request: ValidRequest): MaybePromise<MockResponse> {
    return whenThere(this.#findItem(request), (found) => {
      const text = found?.text ?? this.#parts.untouched;
      if (text === undefined) return this.#refuseGone(request);
      const { check, tag } = this.#parts.conditions;
      return check(request, text) ?? tag(this.#show(text), text);
    });
  }
}

/** Returns whether a response may show an item. It may not if it declares only a list. */
function isShownIn({ media }: DeclaredResponse): boolean {
  const schema = chooseSentMedia(media)?.media.schema?.schema;
  const types = schemaTypes(schema ?? true);
  return types.size === 0 || types.has('object');
}

/** The maximum number of attempts. More changes between a read and a write indicate a defect. */
const mostAttempts = 200;

/** Returns whether a body is a patch in an unspecified notation, that is neither RFC 7396 nor RFC 6902. */
function isPlainJson({ content }: ValidRequest): boolean {
  return content.kind === 'value' && !/patch\+json/iu.test(content.media.range);
}

/** Returns an object with the members that a patch sets to null; undefined if there are none. */
function withNulls(merged: JsonObject, patch: JsonValue | undefined): JsonObject | undefined {
  const nulls = Object.entries(isJsonObject(patch) ? patch : {}).filter(([, value]) => value === null);
  return nulls.length === 0 ? undefined : { ...merged, ...Object.fromEntries(nulls) };
}

/** Returns the result of a patch. In `shallow-merge`, a property that is sent replaces the old one as a whole. */
function applyPatch(
  former: JsonObject,
  patch: JsonValue,
  notation: BehaviourValues['patch-notation'],
): JsonValue {
  if (notation === 'merge' || !isJsonObject(patch)) return applyMergePatch(former, patch);
  if (notation === 'replace') return { ...patch };
  const merged = { ...former };
  for (const [name, value] of Object.entries(patch)) setOwn(merged, name, value);
  return merged;
}
