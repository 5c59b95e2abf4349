import type { Operation, OperationKind, Resource } from '../../contract/contract.ts';
import { decodePathText } from '../../http/query.ts';
import { concreteCollection } from '../../contract/router.ts';
import { canonicalPath } from '../../http/path.ts';
import { memberAt } from '../../json/pointer.ts';
import { parseJson, parseJsonValue } from '../../json/parse.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { schemaTypes } from '../../schema/walk.ts';
import type { Refuse } from '../answer/refusal.ts';
import { firstThere, type MaybePromise, type MockResponse, shorten, whenThere } from '../message.ts';
import { type Store, type StoreKey, toStoreKey } from '../store/store.ts';
import type { HandlerStep } from './handler-step.ts';
import { type ValidRequest } from './stored-form.ts';

/** The kinds of operations on one item. */
export type ItemKind = Extract<OperationKind, { kind: 'read' | 'replace' | 'update' | 'delete' | 'action' }>;

/** The parent that a request requires: the item that the path of the request goes through. */
export interface ParentRule {
  /** The places where the parent may be kept. */
  readonly placesOf: (path: string) => readonly [ItemPlace, ...ItemPlace[]];
  /** Answers that there is no such parent. */
  readonly refuse: (path: string) => MockResponse;
}

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
export function createFinder(
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
export function requireParent(store: Store, parent: ParentRule, orphans: Resource | undefined): HandlerStep {
  return (request, next) =>
    whenThere(findItem(store, parent.placesOf(request.path)), (found) => {
      if (found !== undefined) return next(request);
      const own = orphans && concreteCollection(orphans, request.path);
      return whenThere(own === undefined ? 0 : store.count(own), (count) =>
        count > 0 ? next(request) : parent.refuse(request.path),
      );
    });
}

/** Returns the refusal of a request whose item does not exist. */
export function refuseMissing(refuse: Refuse, segment: string, collection: string): MockResponse {
  const message = `There is no ${shorten(decodePathText(segment))} in ${shorten(collection)}.`;
  return refuse({ condition: 'not-found', message });
}

/** An item that is there. */
export interface FoundItem extends ItemPlace {
  readonly text: string;
}

/** The first of some places where something is kept; undefined where nothing is. */
export function findItem(store: Store, places: readonly ItemPlace[]): MaybePromise<FoundItem | undefined> {
  return firstThere(places, (place) =>
    whenThere(store.get(place.collection, place.key), (text) =>
      text === undefined ? undefined : { ...place, text },
    ),
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
