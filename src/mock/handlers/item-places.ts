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

/** The parent that a request requires: the item that is part of the path of the request. */
export interface ParentRule {
  /** Returns the places where the parent may be stored. */
  readonly placesOf: (path: string) => readonly [ItemPlace, ...ItemPlace[]];
  /** Returns the response to a request whose parent does not exist. */
  readonly refuse: (path: string) => MockResponse;
}

/** The place where an item is stored. */
export interface ItemPlace {
  /** The concrete path of its collection. */
  readonly collection: string;
  readonly key: StoreKey;
  /** The id as a JSON value; undefined for a singleton, which has none. */
  readonly id: JsonValue | undefined;
}

/** The key of a singleton. It is stored alone in a collection with its path. */
export const singletonKey = 0;

/** Prepares the search for the item that a request addresses. The schema of the id decides how to read it. */
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

/** Returns the places of a path segment: "7" may be a number or a text. The parameter's schema decides the order. */
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

/** Prepares the parent that requests to the subpaths of an item require. */
export function prepareParent(resource: Resource, refuse: Refuse): ParentRule {
  const segmentOf = (path: string): string => {
    const depth = concreteCollection(resource, path).replace(/\/$/u, '').split('/').length;
    return canonicalPath(path).split('/')[depth] ?? '';
  };
  const find = (path: string) => placesOf(concreteCollection(resource, path), segmentOf(path), false);
  let last: { readonly path: string; readonly places: ReturnType<typeof find> } | undefined;
  return {
    placesOf(path) {
      // A create needs them twice: before its body is stored, and in the step that stores it.
      if (last?.path !== path) last = { path, places: find(path) };
      return last.places;
    },
    refuse: (path) => refuseMissing(refuse, segmentOf(path), concreteCollection(resource, path)),
  };
}

/**
 * Makes a handler respond to requests below an item only if that item exists.
 *
 * @param orphans - the resource of the handler, if its items may exist without the parent
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

/** Returns the error response to a request whose item does not exist. */
export function refuseMissing(refuse: Refuse, segment: string, collection: string): MockResponse {
  const message = `There is no ${shorten(decodePathText(segment))} in ${shorten(collection)}.`;
  return refuse({ condition: 'not-found', message });
}

/** An item that exists. */
export interface FoundItem extends ItemPlace {
  readonly text: string;
}

/** Returns the item in the first place that contains one; undefined if none does. */
export function findItem(store: Store, places: readonly ItemPlace[]): MaybePromise<FoundItem | undefined> {
  return firstThere(places, (place) =>
    whenThere(store.get(place.collection, place.key), (text) =>
      text === undefined ? undefined : { ...place, text },
    ),
  );
}

/** Returns the id that a resource is stored under. */
export function parseStoreKey(key: StoreKey): JsonValue {
  const id = parseJsonValue(String(key));
  return id === undefined ? key : id;
}

/** Parses the text of a stored resource. */
export function parseStored(text: string): { readonly resource: JsonObject; readonly exact: boolean } {
  const stored = parseJson(text);
  // Stored texts are objects that were valid once.
  return stored.kind === 'json' && isJsonObject(stored.value)
    ? { resource: stored.value, exact: stored.exact }
    : { resource: {}, exact: false };
}
