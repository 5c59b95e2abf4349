import type { MaybePromise } from '../maybe-promise.ts';
import type { KeptResource, StoreContent } from './store-content.ts';

/**
 * What a resource is kept under: a safe integer as it is, which takes the least room and time, and any other
 * key as one text for each value.
 */
export type StoreKey = string | number;

/** A resource on its way into a store. */
export interface StoredResource {
  /** The concrete URL path of the collection it belongs to: `/shops/7/orders`. */
  readonly collection: string;
  readonly key: StoreKey;
  /**
   * The resource as a JSON text: no digit is lost in it, nobody can change it, and it is one flat thing to the
   * garbage collector. Half of a pair of surrogates stands in it as an escape, so that UTF-8 can carry it.
   */
  readonly text: string;
  /** Texts that no two resources of the collection may share: the unique values that it holds, in any order. */
  readonly claims: readonly string[];
}

/** What came of an attempt to keep a resource. */
export type StoreOutcome =
  | { readonly kind: 'stored' }
  /** The key is taken, by this resource. Nothing was changed. */
  | { readonly kind: 'key-taken'; readonly text: string }
  /** Another resource of the collection holds this claim. Nothing was changed. */
  | { readonly kind: 'claim-taken'; readonly claim: string };

/** A change of a snapshot, made only where nobody else has changed it. */
export interface SnapshotSwap {
  readonly name: string;
  /** What is there, as it was read. */
  readonly was: StoreContent | undefined;
  /** What is to be there. */
  readonly is: StoreContent | undefined;
}

/** How much something holds. */
export interface CollectionCount {
  readonly name: string;
  readonly count: number;
}

/**
 * Where the mock keeps resources. Every kind passes the suite in store-conformance.ts.
 *
 * A kind that need not wait answers at once, without a promise. Each method is atomic: of several callers that
 * insert under one key, one stores. A kind that is elsewhere and does not answer throws StoreUnavailable, or rejects
 * with it.
 */
export interface Store {
  /** Keeps a resource unless its key or one of its claims is taken; the key is looked at first. */
  insertIfAbsent(resource: StoredResource): MaybePromise<StoreOutcome>;
  /** Keeps a resource in place of the one with its key, if there is one; another's claims stay another's. */
  replace(resource: StoredResource): MaybePromise<StoreOutcome>;
  /** The text of the resource under a key, or undefined. */
  get(collection: string, key: StoreKey): MaybePromise<string | undefined>;
  /** Forgets one resource and its claims; false where there was none. */
  delete(collection: string, key: StoreKey): MaybePromise<boolean>;
  /** The next number of a collection: 1, 2, 3 … */
  nextNumber(collection: string): MaybePromise<number>;
  /** Has the next number of a collection be a higher one than this. */
  passNumber(collection: string, number: number): MaybePromise<void>;
  /** The collections that hold anything, in the order in which they came. */
  collections(): MaybePromise<readonly CollectionCount[]>;
  /**
   * Resources of a collection, in the order in which they came; one that is replaced keeps its place.
   *
   * @param page.offset - how many to pass over
   * @param page.limit - how many to give at most
   */
  list(
    collection: string,
    page: { readonly offset: number; readonly limit: number },
  ): MaybePromise<readonly KeptResource[]>;
  /** Everything that is kept, at one moment. */
  dump(): MaybePromise<StoreContent>;
  /** Puts this in place of everything that is kept, in one step; snapshots stay. */
  load(content: StoreContent): MaybePromise<void>;
  /** Does the same where it holds no resource; false where it holds one: nothing was changed then. */
  loadIfEmpty(content: StoreContent): MaybePromise<boolean>;
  /** Keeps a content under a name, in place of an earlier one; it outlives reset() as the store's own content does not. */
  saveSnapshot(name: string, content: StoreContent): MaybePromise<void>;
  /** The content under a name, or undefined. */
  readSnapshot(name: string): MaybePromise<StoreContent | undefined>;
  /**
   * Changes what was read under a name; undefined stands for nothing there. False where it is another by now: nothing
   * was changed then.
   */
  swapSnapshot(swap: SnapshotSwap): MaybePromise<boolean>;
  /** Forgets a snapshot; false where there was none. */
  deleteSnapshot(name: string): MaybePromise<boolean>;
  /** The names of the snapshots and how many resources each holds, by name. */
  snapshots(): MaybePromise<readonly CollectionCount[]>;
  /** Forgets everything, numbers included; snapshots stay. */
  reset(): MaybePromise<void>;
  /** Lets go of whatever the store holds open; nothing is called after it. */
  close(): MaybePromise<void>;
}
