import type { Operation, OperationKind, Resource } from '../../contract/contract.ts';
import { findSuccessResponse } from '../../contract/responses.ts';
import { memberAt } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { chooseSentMedia, memberSchema } from '../answer/representation.ts';
import { sampleValue } from '../../schema/value/sample-value.ts';
import { mergeSchema } from '../../schema/merge.ts';
import { toSegment } from '../handlers/resource-view.ts';
import { toStoreKey } from '../store/store.ts';
import type { Collection, Collections } from './collections.ts';
import type { BadRow, StateRows } from './rows.ts';
import { without } from './take-row.ts';

/** The rows in the examples of a document. */
export interface ExampleRows {
  readonly rows: StateRows;
  /** Examples that the document itself rejects. */
  readonly left: readonly BadRow[];
}

/** An item in an example of a response. */
interface ExampleItem {
  readonly item: JsonObject;
  readonly operation: Operation;
}

/**
 * Extracts the items from the response examples of a document, each once, if the service generates their ids. An id
 * from a client would already exist when the client sends the example of the create. Items of a nested collection
 * belong to an existing parent: the one that a property names, or else the first.
 */
export function readExampleRows(collections: Collections): ExampleRows {
  const rows: Record<string, JsonObject[]> = {};
  const left: BadRow[] = [];
  /** The paths of the items of each resource, by the template of its collection. */
  const paths = new Map<string, string[]>();
  for (const { resource, operations } of collections.uses.toSorted(byDepth)) {
    if (!isOfService(resource, operations)) continue;
    const taken = new Set<unknown>();
    const sent = sentKeys(resource, operations);
    for (const [index, { item, operation }] of listItems(operations).entries()) {
      const path = choosePath(resource, item, paths);
      const collection = path === undefined ? 'it has no place' : collections.find(path);
      if (path === undefined || typeof collection === 'string') continue;
      const read = readItem(collection, item);
      if (typeof read === 'string') {
        left.push({ collection: path, index, place: `an example of ${operation.id}`, reason: read });
        continue;
      }
      const { row, key } = read;
      const identity = resource.kind === 'singleton' ? path : `${path} ${key ?? stringifyJson(row)}`;
      if (taken.has(identity) || (key !== undefined && sent.has(key))) continue;
      taken.add(identity);
      rows[path] = [...(rows[path] ?? []), row];
      if (resource.key.kind !== 'none' && key !== undefined) {
        const segment = toSegment(row[resource.key.property] ?? null);
        paths.set(resource.collection, [...(paths.get(resource.collection) ?? []), `${path}/${segment}`]);
      }
    }
  }
  return { rows, left };
}

/** Sorts resources before those whose paths contain their items. */
export function byDepth(
  left: { readonly resource: Resource },
  right: { readonly resource: Resource },
): number {
  return left.resource.collection.split('/').length - right.resource.collection.split('/').length;
}

/** Returns whether only the service could have created the items in examples. */
function isOfService({ key, kind, isKept }: Resource, operations: readonly Operation[]): boolean {
  if (!isKept || key.kind === 'client') return false;
  // An id that is only in paths comes from a client. An item without an id is only visible in a list.
  return (
    key.kind === 'server' || kind === 'singleton' || operations.some((each) => each.kind.kind === 'list')
  );
}

const roles: readonly OperationKind['kind'][] = ['list', 'read', 'create', 'replace', 'update', 'action'];

/** Returns the items in the examples of responses: those of lists first, and those of schemas last. */
function listItems(operations: readonly Operation[]): readonly ExampleItem[] {
  const ofMedia: ExampleItem[] = [];
  const ofSchemas: ExampleItem[] = [];
  for (const operation of roles.flatMap((role) => operations.filter(({ kind }) => kind.kind === role))) {
    const { kind } = operation;
    const media = chooseSentMedia(findSuccessResponse(operation)?.media ?? [])?.media;
    if (media === undefined) continue;
    const schema = media.schema?.schema ?? true;
    const add = (items: ExampleItem[], values: readonly JsonValue[]): void => {
      items.push(...values.flatMap((value) => itemsIn(kind, value).map((item) => ({ item, operation }))));
    };
    add(ofMedia, media.examples);
    add(ofSchemas, examplesOf(schema));
    const path = 'response' in kind ? kind.response : undefined;
    if (path !== undefined && path.length > 0) {
      const own = examplesOf(memberSchema(schema, path)).filter(isJsonObject);
      ofSchemas.push(...own.map((item) => ({ item, operation })));
    }
  }
  return [...ofMedia, ...ofSchemas];
}

/** Returns the items in the body of a response. */
export function itemsIn(kind: OperationKind, body: JsonValue): readonly JsonObject[] {
  if (kind.kind !== 'list') {
    const path = 'response' in kind ? kind.response : undefined;
    const item = path && memberAt(body, path);
    return isJsonObject(item) ? [item] : [];
  }
  const { path, element, kind: form } = kind.list;
  const list = memberAt(body, path);
  const mapped = form === 'map' && isJsonObject(list) ? Object.values(list) : [];
  const elements = form === 'array' && Array.isArray(list) ? list : mapped;
  return elements.flatMap((each) => memberAt(each, element) ?? []).filter(isJsonObject);
}

/** Returns the examples of a self-contained schema, the single `example` first. */
export function examplesOf(schema: JsonSchema): readonly JsonValue[] {
  if (!isJsonObject(schema)) return [];
  const { example, examples } = mergeSchema(schema, schema);
  return [...(example === undefined ? [] : [example]), ...(Array.isArray(examples) ? examples : [])];
}

/** Returns the ids in the examples of the create's body: a client that sends one of them expects to get its id. */
function sentKeys({ key }: Resource, operations: readonly Operation[]): ReadonlySet<string | number> {
  if (key.kind === 'none') return new Set();
  const keys = operations.flatMap(({ kind, requestBody }) => {
    if (kind.kind !== 'create') return [];
    return (requestBody?.media ?? []).flatMap(({ examples, schema: compiled }) => {
      const schema = compiled?.schema ?? true;
      const property = schemaProperties(memberSchema(schema, kind.request)).get(key.property);
      if (property === undefined || property.readOnly) return [];
      return [...examples, ...examplesOf(schema)].flatMap(
        (body) => memberAt(body, [...kind.request, key.property]) ?? [],
      );
    });
  });
  return new Set(keys.map((value) => toStoreKey(value)));
}

/** Returns the concrete path of an item's collection; undefined if there is no parent for it. */
function choosePath(
  resource: Resource,
  item: JsonObject,
  paths: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  const { collection, parent = '' } = resource;
  const name = /\{(.*)\}/u.exec(collection.split('/')[segmentsOf(parent).length] ?? '')?.[1];
  const named = name !== undefined && Object.hasOwn(item, name) ? item[name] : undefined;
  const above = paths.get(parent) ?? [];
  const at = above.findIndex((path) => named !== undefined && path.endsWith(`/${toSegment(named)}`));
  return listPlaces(resource, paths)[Math.max(0, at)];
}

/**
 * Returns the concrete paths of the collections of a resource: one, or one below each parent item.
 *
 * @param items - the paths of items, by the template of their collection
 */
export function listPlaces(
  { collection, parent }: Resource,
  items: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  if (parent === undefined) return collection.includes('{') ? [] : [collection];
  const rest = collection.split('/').slice(segmentsOf(parent).length + 1);
  // A parameter that does not identify an item could have any value.
  if (rest.some((segment) => segment.includes('{'))) return [];
  return (items.get(parent) ?? []).map((path) => [path, ...rest].join('/'));
}

function segmentsOf(path: string): readonly string[] {
  return path.replace(/\/$/u, '').split('/');
}

/** Returns an item as an accepted row, or the reason for its rejection, in words without a full stop. */
function readItem(
  collection: Collection,
  item: JsonObject,
): { readonly row: JsonObject; readonly key: string | number | undefined } | string {
  const row = complete(collection, item);
  const taken = collection.take(row);
  if (typeof taken !== 'string') {
    return { row, key: taken.key === undefined ? undefined : toStoreKey(taken.key) };
  }
  const { key } = collection;
  // An invalid id is omitted, and the service generates one.
  const bare = key.kind === 'none' ? row : without(row, key.property);
  return typeof collection.take(bare) === 'string' ? taken : { row: bare, key: undefined };
}

/** Adds samples of required members that no response shows, like a password. Without them, updates are invalid. */
function complete({ sent }: Collection, item: JsonObject): JsonObject {
  if (sent === undefined) return item;
  const row = { ...item };
  for (const [name, { required, readOnly }] of schemaProperties(sent.schema)) {
    if (!required || readOnly || Object.hasOwn(row, name)) continue;
    const stand = sampleValue(memberSchema(sent.schema, [name]));
    if (stand !== undefined) setOwn(row, name, stand);
  }
  return row;
}
