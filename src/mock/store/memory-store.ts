import type { JsonObject } from '../../json/json-value.ts';
import type { Store, StoredResource, StoreOutcome } from './store.ts';

interface Collection {
  readonly resources: Map<string, { readonly value: JsonObject; readonly claims: readonly string[] }>;
  /** The key of the resource that holds a claim. */
  readonly claims: Map<string, string>;
  lastNumber: number;
}

const stored: StoreOutcome = { kind: 'stored' };

function findTakenClaim({ claims }: Collection, resource: StoredResource): string | undefined {
  return resource.claims.find((claim) => {
    const holder = claims.get(claim);
    return holder !== undefined && holder !== resource.key;
  });
}

function keep(collection: Collection, resource: StoredResource): StoreOutcome {
  const claim = findTakenClaim(collection, resource);
  if (claim !== undefined) {
    return { kind: 'claim-taken', claim };
  }
  for (const former of collection.resources.get(resource.key)?.claims ?? []) {
    collection.claims.delete(former);
  }
  collection.resources.set(resource.key, { value: resource.value, claims: resource.claims });
  for (const own of resource.claims) {
    collection.claims.set(own, resource.key);
  }
  return stored;
}

/** A store that keeps everything in memory, and forgets it when the process ends. */
export function createMemoryStore(): Store {
  const collections = new Map<string, Collection>();
  function collectionOf(name: string): Collection {
    let collection = collections.get(name);
    if (collection === undefined) {
      collection = { resources: new Map(), claims: new Map(), lastNumber: 0 };
      collections.set(name, collection);
    }
    return collection;
  }
  return {
    insertIfAbsent(resource) {
      const collection = collectionOf(resource.collection);
      const present = collection.resources.get(resource.key);
      return present === undefined ? keep(collection, resource) : { kind: 'key-taken', value: present.value };
    },
    replace(resource) {
      return keep(collectionOf(resource.collection), resource);
    },
    get(collection, key) {
      return collections.get(collection)?.resources.get(key)?.value;
    },
    nextNumber(name) {
      const collection = collectionOf(name);
      collection.lastNumber += 1;
      return collection.lastNumber;
    },
    reset() {
      collections.clear();
    },
    close() {
      collections.clear();
    },
  };
}
