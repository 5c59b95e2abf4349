import type { StoreContent } from './store-content.ts';
import type { Store, StoredResource, StoreKey, StoreOutcome } from './store.ts';

interface Collection {
  /** The texts of the resources. */
  readonly resources: Map<StoreKey, string>;
  /** The claims of each resource that has any. */
  readonly claims: Map<StoreKey, readonly string[]>;
  /** The key of the resource that holds a claim. */
  readonly holders: Map<string, StoreKey>;
  lastNumber: number;
}

const stored: StoreOutcome = { kind: 'stored' };

function findTakenClaim({ holders }: Collection, { key, claims }: StoredResource): string | undefined {
  return claims.find((claim) => {
    const holder = holders.get(claim);
    return holder !== undefined && holder !== key;
  });
}

function moveClaims({ claims, holders }: Collection, resource: StoredResource): void {
  for (const former of claims.get(resource.key) ?? []) {
    holders.delete(former);
  }
  claims.delete(resource.key);
  if (resource.claims.length > 0) {
    claims.set(resource.key, resource.claims);
  }
  for (const claim of resource.claims) {
    holders.set(claim, resource.key);
  }
}

function keep(collection: Collection, resource: StoredResource): StoreOutcome {
  if (resource.claims.length > 0 || collection.claims.size > 0) {
    const claim = findTakenClaim(collection, resource);
    if (claim !== undefined) {
      return { kind: 'claim-taken', claim };
    }
    moveClaims(collection, resource);
  }
  collection.resources.set(resource.key, resource.text);
  return stored;
}

function forget(collection: Collection, key: StoreKey): boolean {
  if (collection.claims.size > 0) {
    for (const claim of collection.claims.get(key) ?? []) {
      collection.holders.delete(claim);
    }
    collection.claims.delete(key);
  }
  return collection.resources.delete(key);
}

function countAll({ collections }: StoreContent): number {
  return collections.reduce((sum, { resources }) => sum + resources.length, 0);
}

/** A store that keeps everything in memory, and forgets it when the process ends. */
export function createMemoryStore(): Store {
  const collections = new Map<string, Collection>();
  const snapshots = new Map<string, StoreContent>();
  function collectionOf(name: string): Collection {
    let collection = collections.get(name);
    if (collection === undefined) {
      collection = { resources: new Map(), claims: new Map(), holders: new Map(), lastNumber: 0 };
      collections.set(name, collection);
    }
    return collection;
  }
  return {
    insertIfAbsent(resource) {
      const collection = collectionOf(resource.collection);
      const present = collection.resources.get(resource.key);
      return present === undefined ? keep(collection, resource) : { kind: 'key-taken', text: present };
    },
    replace(resource) {
      return keep(collectionOf(resource.collection), resource);
    },
    get(collection, key) {
      return collections.get(collection)?.resources.get(key);
    },
    nextNumber(name) {
      const collection = collectionOf(name);
      collection.lastNumber += 1;
      return collection.lastNumber;
    },
    delete(name, key) {
      const collection = collections.get(name);
      return collection !== undefined && forget(collection, key);
    },
    collections() {
      return [...collections]
        .map(([name, { resources }]) => ({ name, count: resources.size }))
        .filter(({ count }) => count > 0);
    },
    list(name, { offset, limit }) {
      const { resources, claims } = collections.get(name) ?? { resources: new Map(), claims: new Map() };
      return [...resources]
        .slice(offset, offset + limit)
        .map(([key, text]) => ({ key, text, claims: claims.get(key) ?? [] }));
    },
    dump() {
      return {
        collections: [...collections].map(([name, { resources, claims, lastNumber }]) => ({
          name,
          lastNumber,
          resources: [...resources].map(([key, text]) => ({ key, text, claims: claims.get(key) ?? [] })),
        })),
      };
    },
    load(content) {
      collections.clear();
      for (const { name, lastNumber, resources } of content.collections) {
        const collection = collectionOf(name);
        collection.lastNumber = lastNumber;
        for (const resource of resources) {
          keep(collection, { collection: name, ...resource });
        }
      }
    },
    saveSnapshot(name, content) {
      snapshots.set(name, content);
    },
    readSnapshot(name) {
      return snapshots.get(name);
    },
    deleteSnapshot(name) {
      return snapshots.delete(name);
    },
    snapshots() {
      return [...snapshots]
        .map(([name, content]) => ({ name, count: countAll(content) }))
        .toSorted((left, right) => (left.name < right.name ? -1 : 1));
    },
    reset() {
      collections.clear();
    },
    close() {
      collections.clear();
      snapshots.clear();
    },
  };
}
