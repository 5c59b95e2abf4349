import { createEventLoopYield } from '../clock.ts';
import { type MaybePromise, whenThere } from '../message.ts';
import {
  countContent,
  sortByName,
  type KeptResource,
  type Store,
  type StoreContent,
  type StoreKey,
  type StoreOutcome,
} from './store.ts';

interface MemoryCollection {
  readonly resources: Map<StoreKey, string>;
  readonly claims: Map<StoreKey, readonly string[]>;
  /** The key of the resource that holds a claim. */
  readonly holders: Map<string, StoreKey>;
  lastNumber: number;
}

/** A store that keeps everything in memory, and forgets it when the process ends. */
export function createMemoryStore(): Store {
  let collections = new Map<string, MemoryCollection>();
  const snapshots = new Map<string, StoreContent>();
  function collectionOf(name: string): MemoryCollection {
    let collection = collections.get(name);
    if (collection === undefined) {
      collection = createMemoryCollection();
      collections.set(name, collection);
    }
    return collection;
  }

  function isEmpty(): boolean {
    return [...collections.values()].every(({ resources }) => resources.size === 0);
  }

  function holds(name: string, content: StoreContent | undefined): boolean {
    const present = snapshots.get(name);
    return present === content || JSON.stringify(present) === JSON.stringify(content);
  }

  return {
    insertIfAbsent(resource) {
      const collection = collectionOf(resource.collection);
      const present = collection.resources.get(resource.key);
      return present === undefined ? keep(collection, resource) : { kind: 'key-taken', text: present };
    },
    replace: (resource) => keep(collectionOf(resource.collection), resource),
    get: (collection, key) => collections.get(collection)?.resources.get(key),
    nextNumber(name) {
      const collection = collectionOf(name);
      collection.lastNumber += 1;
      return collection.lastNumber;
    },
    passNumber(name, number) {
      const collection = collectionOf(name);
      collection.lastNumber = Math.max(collection.lastNumber, number);
    },
    delete(name, key) {
      const collection = collections.get(name);
      return collection !== undefined && forget(collection, key);
    },
    collections: () =>
      [...collections]
        .map(([name, { resources }]) => ({ name, count: resources.size }))
        .filter(({ count }) => count > 0),
    list(name, page) {
      const collection = collections.get(name);
      return collection === undefined ? [] : listPage(collection, page);
    },
    dump: () => ({
      collections: [...collections].map(([name, collection]) => ({
        name,
        lastNumber: collection.lastNumber,
        resources: listPage(collection, { offset: 0, limit: Infinity }),
      })),
    }),
    load(content) {
      return whenThere(layOut(content), (next) => {
        collections = next;
      });
    },
    loadIfEmpty(content) {
      if (!isEmpty()) return false;
      return whenThere(layOut(content), (next) => {
        // A client may have been first.
        const mayLoad = isEmpty();
        collections = mayLoad ? next : collections;
        return mayLoad;
      });
    },
    saveSnapshot(name, content) {
      snapshots.set(name, content);
    },
    readSnapshot: (name) => snapshots.get(name),
    swapSnapshot({ name, was, is }) {
      if (!holds(name, was)) return false;
      if (is === undefined) {
        snapshots.delete(name);
      } else {
        snapshots.set(name, is);
      }
      return true;
    },
    deleteSnapshot: (name) => snapshots.delete(name),
    snapshots: () =>
      sortByName([...snapshots].map(([name, content]) => ({ name, count: countContent(content) }))),
    reset() {
      collections.clear();
    },
    close() {
      collections.clear();
      snapshots.clear();
    },
  };
}

const stored: StoreOutcome = { kind: 'stored' };

function createMemoryCollection(): MemoryCollection {
  return { resources: new Map(), claims: new Map(), holders: new Map(), lastNumber: 0 };
}

function findTakenClaim({ holders }: MemoryCollection, { key, claims }: KeptResource): string | undefined {
  return claims.find((claim) => {
    const holder = holders.get(claim);
    return holder !== undefined && holder !== key;
  });
}

function releaseClaims({ claims, holders }: MemoryCollection, key: StoreKey): void {
  for (const claim of claims.get(key) ?? []) {
    holders.delete(claim);
  }
  claims.delete(key);
}

/** Keeps a resource in place of the one with its key, unless another holds one of its claims. */
function keep(collection: MemoryCollection, resource: KeptResource): StoreOutcome {
  const { key, text, claims } = resource;
  if (claims.length > 0 || collection.claims.size > 0) {
    const claim = findTakenClaim(collection, resource);
    if (claim !== undefined) return { kind: 'claim-taken', claim };
    releaseClaims(collection, key);
    if (claims.length > 0) {
      collection.claims.set(key, claims);
    }
    for (const each of claims) {
      collection.holders.set(each, key);
    }
  }
  collection.resources.set(key, text);
  return stored;
}

function forget(collection: MemoryCollection, key: StoreKey): boolean {
  if (collection.claims.size > 0) {
    releaseClaims(collection, key);
  }
  return collection.resources.delete(key);
}

function listPage(
  { resources, claims }: MemoryCollection,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): readonly KeptResource[] {
  const page: KeptResource[] = [];
  let index = 0;
  for (const [key, text] of resources) {
    if (index >= offset + limit) break;
    if (index >= offset) {
      page.push({ key, text, claims: claims.get(key) ?? [] });
    }
    index += 1;
  }
  return page;
}

/** So many resources are loaded before requests have their turn. */
const atOnce = 10_000;

/** Lays a content out anew: a small one at once; of a large one, requests go on with what was there until all is. */
function layOut({ collections }: StoreContent): MaybePromise<Map<string, MemoryCollection>> {
  const next = new Map<string, MemoryCollection>();

  function* keepAll(): Generator<undefined, undefined> {
    let sincePause = 0;
    for (const { name, lastNumber, resources } of collections) {
      const collection = next.get(name) ?? createMemoryCollection();
      collection.lastNumber = lastNumber;
      next.set(name, collection);
      for (const resource of resources) {
        if (sincePause === atOnce) {
          sincePause = 0;
          yield;
        }
        keep(collection, resource);
        sincePause += 1;
      }
    }
  }

  async function goOn(): Promise<typeof next> {
    const breathe = createEventLoopYield(1);
    do {
      await breathe();
    } while (steps.next().done !== true);
    return next;
  }

  const steps = keepAll();
  return steps.next().done === true ? next : goOn();
}
