import type { Operation, OperationKind, Resource } from '../../contract/contract.ts';
import { decodePathText } from '../../contract/read-parameters.ts';
import { findExactResponse } from '../../contract/responses.ts';
import { canonicalPath, pathOf } from '../../http/path.ts';
import { parseJson } from '../../json/parse.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Policy } from '../../policy/policy.ts';
import type { ValidationMode } from '../../schema/compile.ts';
import { schemaProperties } from '../../schema/properties.ts';
import { schemaTypes } from '../../schema/walk.ts';
import { memberAt, memberSchema } from '../answer/representation.ts';
import type { Refuse } from '../answer/refusal.ts';
import { setOwn } from '../answer/sample-value.ts';
import { applyJsonPatch, applyMergePatch } from './patch.ts';
import { type MaybePromise, type MockResponse, shorten, whenThere } from '../message.ts';
import { type Store, type StoreKey, toStoreKey } from '../store/store.ts';
import { createResourceWriter } from './resource-view.ts';
import { type KeptBody, type OperationHandler, prepareStoredForm, type ValidRequest } from './stored-form.ts';

/** What the handlers of a resource are made of. */
export interface HandlerInput<Kind extends OperationKind> {
  readonly operation: Operation;
  readonly kind: Kind;
  readonly policy: Policy;
  readonly reading: ValidationMode;
  readonly store: Store;
  readonly refuse: Refuse;
}

/** Says what is wrong with an item, as a sentence; undefined where nothing is. */
export type WholeCheck = (item: JsonObject) => string | undefined;

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

/** The concrete path of a collection, as far as a request to one of its operations names it. */
export function concreteCollection({ collection }: Resource, path: string): string {
  const parts = canonicalPath(path).split('/');
  return collection
    .split('/')
    .map((segment, index) => (segment.includes('{') ? (parts[index] ?? segment) : segment))
    .join('/');
}

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

/**
 * Where an item may be kept whose id is a segment of a path. That says "7" of 7 and of "7": the schema of the parameter tells
 * which comes first.
 */
export function placesOf(
  collection: string,
  segment: string,
  isText: boolean,
): readonly [ItemPlace, ...ItemPlace[]] {
  const text = decodePathText(segment);
  const asText = { collection, key: toStoreKey(text), id: text };
  const read = parseJson(text, { explains: false });
  if (read.kind !== 'json' || !/^-?\d/u.test(text)) return [asText];
  const asNumber = { collection, key: toStoreKey(read.value), id: read.value };
  return isText ? [asText, asNumber] : [asNumber, asText];
}

/**
 * Has a handler answer requests below an item only where that is there.
 *
 * @param parent - the resource that the item is one of
 */
export function requireParent(
  handle: OperationHandler,
  { parent, store, refuse }: Pick<HandlerInput<never>, 'store' | 'refuse'> & { readonly parent: Resource },
): OperationHandler {
  const depth = parent.collection.replace(/\/$/u, '').split('/').length;
  return (request) => {
    const collection = concreteCollection(parent, request.path);
    const segment = canonicalPath(request.path).split('/')[depth] ?? '';
    return whenThere(findItem(store, placesOf(collection, segment, false)), (found) =>
      found === undefined ? refuseMissing(refuse, segment, collection) : handle(request),
    );
  };
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

function parseStored(text: string): { readonly resource: JsonObject; readonly exact: boolean } {
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
  const { operation, kind, policy, reading, store, refuse, checkWhole } = input;
  const { resource } = kind;
  const find = createFinder(kind, operation);
  const form = prepareStoredForm(operation, resource.key, policy);
  const write = createResourceWriter(operation, reading, kind.response);
  const readOnly = readOnlyNames(operation, kind);
  const show = (text: string): MockResponse => write({ ...parseStored(text), extras: undefined });
  // RFC 9110 §9.3.4: a PUT that creates says so, wherever the document lets it.
  const created = findExactResponse(operation, 201);
  const writeCreated = created && createResourceWriter(operation, reading, kind.response, created);
  const hasLocation = created?.headers.some(({ name }) => name.toLowerCase() === 'location') === true;

  function showCreated({ head }: ValidRequest): typeof show {
    return (text) =>
      writeCreated?.(
        { ...parseStored(text), extras: undefined },
        hasLocation ? pathOf(head.target) : undefined,
      ) ?? show(text);
  }

  function refuseGone({ path, parameters }: ValidRequest): MockResponse {
    const segment = (resource.parameter && parameters[resource.parameter]) ?? '';
    return refuseMissing(refuse, segment, concreteCollection(resource, path));
  }

  function bodyOf({ content }: ValidRequest): JsonValue | undefined {
    return content.kind === 'value' && 'request' in kind ? memberAt(content.value, kind.request) : undefined;
  }

  /** Keeps what a request leads to: the id, and what is read-only, stay as they are. */
  function keep(
    place: ItemPlace,
    sent: Pick<KeptBody, 'resource' | 'undeclared'>,
    former: JsonObject,
    answer = show,
  ): MaybePromise<MockResponse> {
    const { undeclared } = sent;
    const whole = { ...sent.resource };
    for (const name of readOnly) {
      if (Object.hasOwn(former, name)) setOwn(whole, name, former[name] ?? null);
    }
    if (resource.key.kind !== 'none' && place.id !== undefined)
      setOwn(whole, resource.key.property, place.id);
    const stored = form.toStored(
      { collection: place.collection, resource: whole, undeclared, text: undefined },
      place.key,
    );
    return whenThere(store.replace(stored), (outcome) =>
      outcome.kind === 'claim-taken'
        ? refuse({ condition: 'duplicate-value', message: "A value that must be unique is another item's." })
        : answer(stored.text),
    );
  }

  function replace(request: ValidRequest): MaybePromise<MockResponse> {
    const body = bodyOf(request);
    if (!isJsonObject(body))
      return refuse({ condition: 'invalid-body', message: 'The body must be an object.' });
    const places = find(request);
    const isCreated = kind.kind === 'replace' && kind.creates;
    return whenThere(findItem(store, places), (found) => {
      if (found !== undefined) return keep(found, form.split(body), parseStored(found.text).resource);
      return isCreated || resource.kind === 'singleton'
        ? keep(places[0], form.split(body), {}, isCreated ? showCreated(request) : show)
        : refuseGone(request);
    });
  }

  function update(request: ValidRequest): MaybePromise<MockResponse> {
    const patch = bodyOf(request);
    const places = find(request);
    return whenThere(findItem(store, places), (found) => {
      if (found === undefined && resource.kind !== 'singleton') return refuseGone(request);
      const former = found === undefined ? {} : parseStored(found.text).resource;
      const patched = Array.isArray(patch)
        ? applyJsonPatch(former, patch)
        : { value: applyMergePatch(former, patch ?? {}) };
      if ('problem' in patched) {
        return refuse({
          condition: 'invalid-body',
          message: `The patch cannot be applied: ${patched.problem}.`,
        });
      }
      const changed = patched.value;
      if (!isJsonObject(changed))
        return refuse({ condition: 'invalid-body', message: 'What the patch leads to is no object.' });
      const wrong = checkWhole?.(changed);
      if (wrong !== undefined) return refuse({ condition: 'invalid-body', message: wrong });
      return keep(found ?? places[0], { resource: changed, undeclared: undefined }, former);
    });
  }

  function remove(request: ValidRequest): MaybePromise<MockResponse> {
    return whenThere(findItem(store, find(request)), (found) => {
      if (found === undefined) return refuseGone(request);
      return whenThere(store.delete(found.collection, found.key), (isGone) =>
        isGone
          ? whenThere(removeBelow(store, canonicalPath(request.path)), () => show(found.text))
          : refuseGone(request),
      );
    });
  }

  function read(request: ValidRequest): MaybePromise<MockResponse> {
    return whenThere(findItem(store, find(request)), (found) => {
      if (found !== undefined) return show(found.text);
      return resource.kind === 'singleton' ? show('{}') : refuseGone(request);
    });
  }

  return { read, action: read, replace, update, delete: remove }[kind.kind];
}

/** What lies below an item goes with it. */
async function emptyCollections(store: Store, names: readonly string[]): Promise<void> {
  for (const name of names) {
    for (const { key } of await store.list(name, { offset: 0, limit: Number.MAX_SAFE_INTEGER })) {
      await store.delete(name, key);
    }
  }
}

function removeBelow(store: Store, path: string): MaybePromise<void> {
  return whenThere(store.collections(), (all) => {
    const below = all.filter(({ name }) => name.startsWith(`${path}/`)).map(({ name }) => name);
    return below.length === 0 ? undefined : emptyCollections(store, below);
  });
}

/** The properties of a body that a client has no say in (OpenAPI 3.1 §4.8.24.3). */
function readOnlyNames({ requestBody }: Operation, kind: ItemKind): readonly string[] {
  const schema = requestBody?.media.find(({ isJson }) => isJson)?.schema?.schema;
  if (schema === undefined || !('request' in kind)) return [];
  return [...schemaProperties(memberSchema(schema, kind.request))]
    .filter(([, { readOnly }]) => readOnly)
    .map(([name]) => name);
}
