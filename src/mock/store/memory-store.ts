import { createEventLoopYield } from '../clock.ts';
import { type MaybePromise, whenThere } from '../message.ts';
import { createInsertionOrder, type InsertionOrder } from './insertion-order.ts';
import {
  countContent,
  sortByName,
  type KeptResource,
  type ListedResource,
  type Store,
  type StoreContent,
  type StoredResource,
  type StoreKey,
  type SwapOutcome,
} from './store.ts';

interface MemoryCollection {
  /** Each resource is never changed, but replaced: a page or a dump that was read stays as it was. */
  readonly resources: Map<StoreKey, ListedResource>;
  readonly order: InsertionOrder<ListedResource>;
  /** The key of the resource that holds a claim. */
  readonly holders: Map<string, StoreKey>;
  lastNumber: number;
}

/** A store that keeps everything in memory, and forgets it when the process ends. */
export function createMemoryStore(): Store {
  let collections = new Map<string, MemoryCollection>();
  const snapshots = new Map<string, StoreContent>();
  /** Of the resource that came last, whatever became of it. */
  let position = 0;
  const nextPosition = (): number => {
    position += 1;
    return position;
  };

  function collectionOf(name: string): MemoryCollection {
    let collection = collections.get(name);
    if (collection === undefined) {
      collection = createMemoryCollection();
      collections.set(name, collection);
    }
    return collection;
  }

  function lacksParent({ parents }: StoredResource): boolean {
    return parents?.some(({ collection, key }) => collections.get(collection)?.resources.has(key)) === false;
  }

  function remove(name: string, key: StoreKey, was: string | undefined): boolean {
    const collection = collections.get(name);
    const resource = collection?.resources.get(key);
    if (collection === undefined || resource === undefined) return false;
    if (was !== undefined && resource.text !== was) return false;
    releaseClaims(collection, resource);
    collection.order.remove(resource);
    return collection.resources.delete(key);
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
      if (lacksParent(resource)) return parentMissing;
      const collection = collectionOf(resource.collection);
      const present = collection.resources.get(resource.key);
      return present === undefined
        ? keep(collection, resource, nextPosition)
        : { kind: 'key-taken', text: present.text };
    },
    replace: (resource) =>
      lacksParent(resource) ? parentMissing : keep(collectionOf(resource.collection), resource, nextPosition),
    swap(resource, was) {
      const collection = collections.get(resource.collection);
      return collection?.resources.get(resource.key)?.text === was
        ? keep(collection, resource, nextPosition)
        : { kind: 'changed' };
    },
    get: (collection, key) => collections.get(collection)?.resources.get(key)?.text,
    nextNumber(name) {
      const collection = collectionOf(name);
      collection.lastNumber += 1;
      return collection.lastNumber;
    },
    passNumber(name, number) {
      const collection = collectionOf(name);
      collection.lastNumber = Math.max(collection.lastNumber, number);
    },
    delete: remove,
    deleteTree({ collection, key, was, path, below: mode }) {
      const below = [...collections].filter(([name]) => name.startsWith(`${path}/`));
      const text = collections.get(collection)?.resources.get(key)?.text;
      if (text === undefined || (was !== undefined && text !== was)) return 'absent';
      if (mode === 'refuse' && below.some(([, { resources }]) => resources.size > 0)) return 'not-empty';
      remove(collection, key, was);
      below.forEach(([name]) => collections.delete(name));
      return 'deleted';
    },
    collections: () =>
      [...collections]
        .map(([name, { resources }]) => ({ name, count: resources.size }))
        .filter(({ count }) => count > 0),
    count: (name) => collections.get(name)?.resources.size ?? 0,
    list: (name, page) => collections.get(name)?.order.page(page) ?? [],
    dump: () => ({
      collections: [...collections].map(([name, collection]) => ({
        name,
        lastNumber: collection.lastNumber,
        resources: Array.from(collection.resources.values(), ({ key, text, claims }) => ({
          key,
          text,
          claims,
        })),
      })),
    }),
    load(content) {
      return whenThere(layOut(content, nextPosition), (next) => {
        collections = next;
      });
    },
    loadIfEmpty(content) {
      if (!isEmpty()) return false;
      return whenThere(layOut(content, nextPosition), (next) => {
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

const stored = { kind: 'stored' } as const;
const parentMissing = { kind: 'parent-missing' } as const;

function createMemoryCollection(): MemoryCollection {
  return { resources: new Map(), order: createInsertionOrder(), holders: new Map(), lastNumber: 0 };
}

function findTakenClaim({ holders }: MemoryCollection, { key, claims }: KeptResource): string | undefined {
  return claims.find((claim) => {
    const holder = holders.get(claim);
    return holder !== undefined && holder !== key;
  });
}

function releaseClaims({ holders }: MemoryCollection, { claims }: KeptResource): void {
  for (const claim of claims) holders.delete(claim);
}

/** Keeps a resource in place of the one with its key, unless another holds one of its claims. */
function keep(
  collection: MemoryCollection,
  resource: KeptResource,
  nextPosition: () => number,
): Exclude<SwapOutcome, { kind: 'changed' }> {
  const { key, text, claims } = resource;
  const claim = findTakenClaim(collection, resource);
  if (claim !== undefined) return { kind: 'claim-taken', claim };
  const present = collection.resources.get(key);
  const kept = { key, text, claims, position: present?.position ?? nextPosition() };
  collection.resources.set(key, kept);
  if (present === undefined) {
    collection.order.add(kept);
  } else {
    releaseClaims(collection, present);
    collection.order.replace(kept);
  }
  for (const each of claims) collection.holders.set(each, key);
  return stored;
}

/** So many resources are loaded before requests have their turn. */
const atOnce = 1000;

/** Lays a content out anew: a small one at once; of a large one, requests go on with what was there until all is. */
function layOut(
  { collections }: StoreContent,
  nextPosition: () => number,
): MaybePromise<Map<string, MemoryCollection>> {
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
        keep(collection, resource, nextPosition);
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
