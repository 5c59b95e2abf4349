import { createEventLoopYield } from '../clock.ts';
import { type MaybePromise, whenThere } from '../message.ts';
import { InsertionOrder } from './insertion-order.ts';
import {
  countContent,
  sortByName,
  type KeepOutcome,
  type KeptResource,
  type ListedResource,
  type Store,
  type StoreContent,
  type StoredResource,
  type StoreKey,
} from './store.ts';

/** Creates a store that keeps everything in memory, until the process ends. */
export function createMemoryStore(): Store {
  let collections = new Map<string, MemoryCollection>();
  const snapshots = new Map<string, StoreContent>();
  let last = 0;
  // Numbers resources in the order of their creation; no number is reused.
  const nextPosition = (): number => (last += 1);

  function collectionOf(name: string): MemoryCollection {
    let collection = collections.get(name);
    if (collection === undefined) {
      collection = new MemoryCollection(nextPosition);
      collections.set(name, collection);
    }
    return collection;
  }

  function lacksParent({ parents }: StoredResource): boolean {
    return parents?.some(({ collection, key }) => collections.get(collection)?.resources.has(key)) === false;
  }

  function isEmpty(): boolean {
    return [...collections.values()].every(({ resources }) => resources.size === 0);
  }

  return {
    insertIfAbsent(resource) {
      if (lacksParent(resource)) return parentMissing;
      const collection = collectionOf(resource.collection);
      const present = collection.resources.get(resource.key);
      return present === undefined ? collection.keep(resource) : { kind: 'key-taken', text: present.text };
    },
    replace: (resource) =>
      lacksParent(resource) ? parentMissing : collectionOf(resource.collection).keep(resource),
    swap(resource, was) {
      const collection = collections.get(resource.collection);
      return collection?.resources.get(resource.key)?.text === was
        ? collection.keep(resource)
        : { kind: 'changed' };
    },
    get: (collection, key) => collections.get(collection)?.resources.get(key)?.text,
    claims: (collection, key) => collections.get(collection)?.resources.get(key)?.claims ?? [],
    nextNumber(name) {
      const collection = collectionOf(name);
      collection.lastNumber += 1;
      return collection.lastNumber;
    },
    passNumber(name, number) {
      const collection = collectionOf(name);
      collection.lastNumber = Math.max(collection.lastNumber, number);
    },
    delete: (name, key, was) => collections.get(name)?.remove(key, was) ?? false,
    deleteTree({ collection, key, was, path, below: mode }) {
      const below = [...collections].filter(([name]) => name.startsWith(`${path}/`));
      const own = collections.get(collection);
      const text = own?.resources.get(key)?.text;
      if (text === undefined || (was !== undefined && text !== was)) return 'absent';
      if (mode === 'refuse' && below.some(([, { resources }]) => resources.size > 0)) return 'not-empty';
      own?.remove(key, was);
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
        resources: Array.from(collection.resources.values(), ({ position: _own, ...kept }) => kept),
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
        // A client may have created a resource in the meantime.
        const mayLoad = isEmpty();
        collections = mayLoad ? next : collections;
        return mayLoad;
      });
    },
    ...createSnapshots(snapshots),
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

class MemoryCollection {
  /** Resources are replaced, never changed: a page or a dump that was read stays valid. */
  readonly resources = new Map<StoreKey, ListedResource>();
  readonly order = new InsertionOrder<ListedResource>();
  /** The id of the resource with each claim. */
  readonly #holders = new Map<string, StoreKey>();
  readonly #nextPosition: () => number;
  lastNumber = 0;

  constructor(nextPosition: () => number) {
    this.#nextPosition = nextPosition;
  }

  /** Stores a resource or replaces the one with its id, unless another resource has one of its claims. */
  keep({ key, text, claims }: KeptResource): KeepOutcome {
    const claim = claims.find((each) => (this.#holders.get(each) ?? key) !== key);
    if (claim !== undefined) return { kind: 'claim-taken', claim };
    const present = this.resources.get(key);
    const kept = { key, text, claims, position: present?.position ?? this.#nextPosition() };
    this.resources.set(key, kept);
    if (present === undefined) {
      this.order.add(kept);
    } else {
      this.#release(present);
      this.order.replace(kept);
    }
    for (const each of claims) this.#holders.set(each, key);
    return stored;
  }

  remove(key: StoreKey, was: string | undefined): boolean {
    const resource = this.resources.get(key);
    if (resource === undefined || (was !== undefined && resource.text !== was)) return false;
    this.#release(resource);
    this.order.remove(resource);
    return this.resources.delete(key);
  }

  #release({ claims }: KeptResource): void {
    for (const claim of claims) this.#holders.delete(claim);
  }
}

/** The methods of a store that keep snapshots. */
function createSnapshots(
  snapshots: Map<string, StoreContent>,
): Pick<Store, 'saveSnapshot' | 'readSnapshot' | 'swapSnapshot' | 'deleteSnapshot' | 'snapshots'> {
  const holds = (name: string, content: StoreContent | undefined): boolean => {
    const present = snapshots.get(name);
    return present === content || JSON.stringify(present) === JSON.stringify(content);
  };
  return {
    saveSnapshot(name, content) {
      snapshots.set(name, content);
    },
    readSnapshot: (name) => snapshots.get(name),
    swapSnapshot({ name, was, is }) {
      if (!holds(name, was)) return false;
      if (is === undefined) snapshots.delete(name);
      else snapshots.set(name, is);
      return true;
    },
    deleteSnapshot: (name) => snapshots.delete(name),
    snapshots: () =>
      sortByName([...snapshots].map(([name, content]) => ({ name, count: countContent(content) }))),
  };
}

/** The number of resources that are loaded before other requests are handled. */
const atOnce = 1000;

/** Loads a content: a small one immediately. During a large one, requests still use the old content. */
function layOut(
  { collections }: StoreContent,
  nextPosition: () => number,
): MaybePromise<Map<string, MemoryCollection>> {
  const next = new Map<string, MemoryCollection>();

  function* keepAll(): Generator<undefined, undefined> {
    let sincePause = 0;
    for (const { name, lastNumber, resources } of collections) {
      const collection = next.get(name) ?? new MemoryCollection(nextPosition);
      collection.lastNumber = lastNumber;
      next.set(name, collection);
      for (const resource of resources) {
        if (sincePause === atOnce) {
          sincePause = 0;
          yield;
        }
        collection.keep(resource);
        sincePause += 1;
      }
    }
  }

  async function goOn(): Promise<typeof next> {
    const yieldToEventLoop = createEventLoopYield(1);
    do {
      await yieldToEventLoop();
    } while (steps.next().done !== true);
    return next;
  }

  const steps = keepAll();
  return steps.next().done === true ? next : goOn();
}
