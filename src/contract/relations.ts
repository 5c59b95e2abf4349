import { findReadable, findResponseMedia } from '../http/codecs/registry.ts';
import { schemaAt, schemaProperties } from '../schema/properties.ts';
import { type JsonSchema, schemaTypes } from '../schema/walk.ts';
import { isJsonObject } from '../json/value.ts';
import type { Operation, Resource } from './contract.ts';
import { keptRole } from './resources.ts';
import { findSuccessResponse } from './responses.ts';
import { singular, splitWords } from './resource-key.ts';

/** A property that contains the id of an item of a resource: `ownerId` of `/owners`. */
export interface Relation {
  readonly property: string;
  readonly resource: Resource;
  /** Whether it contains several ids, in an array. */
  readonly isList: boolean;
}

/** Endings of property names that contain an id. */
const keyWords = new Set(['id', 'uuid', 'guid', 'gid', 'key']);

/**
 * Finds the properties of an object that refer to items of other resources. They have the name of a resource
 * (`ownerId`, `project_id`, `owner`, `tagIds`) and the type of its id.
 *
 * @param schema - of the object, self-contained
 * @param operations - those of the document, whose resources are searched
 * @param own - the resource of the object, whose id is not a relation
 */
function findRelations(
  schema: JsonSchema | undefined,
  operations: readonly Operation[],
  own?: Resource,
): readonly Relation[] {
  const byName = keyedResources(operations);
  return [...schemaProperties(schema)].flatMap(([property, { schema: declared }]): Relation[] => {
    if (own?.key.kind !== 'none' && own?.key.property === property) return [];
    const types = schemaTypes(declared, schema ?? true);
    const isList = types.has('array');
    const items = isJsonObject(declared) ? (declared['items'] ?? true) : true;
    const single =
      isList && (typeof items === 'boolean' || isJsonObject(items))
        ? schemaTypes(items, schema ?? true)
        : types;
    const words = splitWords(property).map(singular);
    const saysKey = words.length > 1 && keyWords.has(words.at(-1) ?? '');
    // `billingProjectId` may refer to a project.
    const names = saysKey ? words.slice(0, -1).map((_, from) => words.slice(from, -1)) : [words];
    const found = names
      .flatMap((name) => byName.get(name.join(' ')) ?? [])
      .filter(({ types: ofKey }) => sharesType(single, ofKey))
      .toSorted((left, right) => left.rank - right.rank)[0];
    // A list named `tags` usually contains words, not ids.
    return found === undefined || (isList && !saysKey)
      ? []
      : [{ property, resource: found.resource, isList }];
  });
}

/** Finds the relations in the body of a create, replace or update. Clients do not send read-only properties. */
export function findBodyRelations(
  operation: Operation,
  operations: readonly Operation[],
): readonly Relation[] {
  const role = keptRole(operation);
  if (role === undefined || !('request' in role)) return [];
  const media = findReadable(operation.requestBody?.media);
  const schema = schemaAt(media?.schema?.schema, role.request);
  const declared = schemaProperties(schema);
  return findRelations(schema, operations, role.resource).filter(
    ({ property }) => declared.get(property)?.readOnly === false,
  );
}

/** Finds the relations of an item as {@link findBodyRelations}, and those that only the response to its create shows. */
export function findItemRelations(
  operation: Operation,
  operations: readonly Operation[],
): readonly Relation[] {
  const role = keptRole(operation);
  const sent = findBodyRelations(operation, operations);
  if (role === undefined || !('response' in role) || role.response === undefined) return sent;
  const media = findResponseMedia(findSuccessResponse(operation)?.media);
  const shown = findRelations(schemaAt(media?.schema?.schema, role.response), operations, role.resource);
  return [...sent, ...shown.filter(({ property }) => sent.every((each) => each.property !== property))];
}

/** Returns the resources directly below the items that an operation deletes. */
export function findChildren(operation: Operation, operations: readonly Operation[]): readonly Resource[] {
  const role = keptRole(operation);
  if (role?.kind !== 'delete' || role.resource.kind !== 'collection') return [];
  const known = childrenOf.get(operations) ?? groupByParent(operations);
  childrenOf.set(operations, known);
  return [...(known.get(role.resource.collection)?.values() ?? [])];
}

/** By the collection of the parent, and then by their collection. */
type Children = ReadonlyMap<string, ReadonlyMap<string, Resource>>;

const childrenOf = new WeakMap<readonly Operation[], Children>();

function groupByParent(operations: readonly Operation[]): Children {
  const children = new Map<string, Map<string, Resource>>();
  for (const operation of operations) {
    const { resource } = keptRole(operation) ?? {};
    if (resource?.parent === undefined) continue;
    const siblings = children.get(resource.parent) ?? new Map<string, Resource>();
    children.set(resource.parent, siblings.set(resource.collection, resource));
  }
  return children;
}

function sharesType(one: ReadonlySet<string>, two: ReadonlySet<string>): boolean {
  const isNumber = (types: ReadonlySet<string>): boolean => types.has('integer') || types.has('number');
  return (one.has('string') && two.has('string')) || (isNumber(one) && isNumber(two));
}

interface KeyedResource {
  readonly resource: Resource;
  /** Its position in the document: the first resource of a name is used. */
  readonly rank: number;
  /** The types of its id. */
  readonly types: ReadonlySet<string>;
}

type KeyedResources = ReadonlyMap<string, readonly KeyedResource[]>;

const known = new WeakMap<readonly Operation[], KeyedResources>();

/**
 * Finds the collections with stored items and ids, by the singular words of their names. The types of an id are those
 * that a representation declares.
 */
function keyedResources(operations: readonly Operation[]): KeyedResources {
  const before = known.get(operations);
  if (before !== undefined) return before;
  const seen = new Set<string>();
  const found = new Map<string, KeyedResource[]>();
  const ofCollection = new Map<string, Operation[]>();
  for (const operation of operations) {
    const { collection } = keptRole(operation)?.resource ?? {};
    const others = collection === undefined ? undefined : ofCollection.get(collection);
    if (others !== undefined) others.push(operation);
    else if (collection !== undefined) ofCollection.set(collection, [operation]);
  }
  for (const operation of operations) {
    const { resource } = keptRole(operation) ?? {};
    if (resource?.kind !== 'collection' || resource.key.kind === 'none' || seen.has(resource.collection))
      continue;
    const { property } = resource.key;
    let types: ReadonlySet<string> | undefined;
    const keyed = {
      resource,
      rank: seen.size,
      get types() {
        return (types ??= keyTypes(property, ofCollection.get(resource.collection) ?? []));
      },
    };
    seen.add(resource.collection);
    const name = splitWords(resource.name).map(singular).join(' ');
    const named = found.get(name) ?? [];
    named.push(keyed);
    found.set(name, named);
  }
  known.set(operations, found);
  return found;
}

/** Returns the types of an id from the operations on the items. */
function keyTypes(property: string, operations: readonly Operation[]): ReadonlySet<string> {
  for (const operation of operations) {
    const role = keptRole(operation);
    if (role === undefined) continue;
    const bodies = [
      ...('request' in role ? [{ media: operation.requestBody?.media, path: role.request }] : []),
      ...('response' in role && role.response !== undefined
        ? [{ media: findSuccessResponse(operation)?.media, path: role.response }]
        : []),
    ];
    for (const { media, path } of bodies) {
      const schema = schemaAt(findResponseMedia(media)?.schema?.schema, [...path, property]);
      const types = schema === undefined ? new Set<string>() : schemaTypes(schema);
      if (types.size > 0) return types;
    }
  }
  return new Set();
}
