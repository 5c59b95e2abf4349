import { ClocheError } from '../../errors/cloche-error.ts';
import type { JsonValue } from '../../json/value.ts';
import { valueKey } from '../../schema/walk.ts';
import type { MaybePromise } from '../message.ts';

/** The key of a stored resource: a safe integer as itself, which is fastest; any other value as its own text. */
export type StoreKey = string | number;

/** A resource that is kept. */
export interface KeptResource {
  readonly key: StoreKey;
  /**
   * The resource as a JSON text: no digit is lost in it, nobody can change it, and it is one flat thing to the
   * garbage collector. Half of a pair of surrogates stands in it as an escape, so that UTF-8 can carry it.
   */
  readonly text: string;
  /** Texts that no two resources of the collection may share: the unique values that it holds, in any order. */
  readonly claims: readonly string[];
}

/** Where a resource is kept. */
export interface StorePlace {
  /** The concrete URL path of the collection: `/shops/7/orders`. */
  readonly collection: string;
  readonly key: StoreKey;
}

/** A resource on its way into a store. */
export interface StoredResource extends KeptResource, StorePlace {
  /** The places where its parent may be kept. At least one must hold a resource; undefined if no parent is required. */
  readonly parents?: readonly StorePlace[] | undefined;
}

/** A resource to delete together with the collections below it. */
export interface StoredTree extends StorePlace {
  /** The text that was read. If the resource has another text by now, nothing is deleted. Undefined deletes any text. */
  readonly was?: string;
  /** The concrete URL path of the resource. The names of the collections below it begin with this path and a slash. */
  readonly path: string;
  /** `delete` empties the collections below; `refuse` deletes nothing while one of them holds a resource. */
  readonly below: 'delete' | 'refuse';
}

/** The outcome of deleting a tree. `absent`: the resource is gone or has another text; nothing was deleted. */
export type TreeOutcome = 'deleted' | 'absent' | 'not-empty';

/** What came of an attempt to keep a resource. */
export type StoreOutcome =
  | { readonly kind: 'stored' }
  /** The key is taken, by this resource. Nothing was changed. */
  | { readonly kind: 'key-taken'; readonly text: string }
  /** Another resource of the collection holds this claim. Nothing was changed. */
  | { readonly kind: 'claim-taken'; readonly claim: string }
  /** A parent is required and there is none. Nothing was changed. */
  | { readonly kind: 'parent-missing' };

/** What came of an attempt to keep a resource in place of the one with its key. */
export type KeepOutcome = Extract<StoreOutcome, { kind: 'stored' | 'claim-taken' }>;

/** What came of an attempt to change a resource that was read before. */
export type SwapOutcome =
  /** `changed`: there is another text under the key by now, or none. Nothing was changed. */
  { readonly kind: 'changed' } | KeepOutcome;

/** A resource with its place in the order of its collection. */
export interface ListedResource extends KeptResource {
  /** Higher than that of every resource that came before; a replacement leaves it as it is. It has gaps. */
  readonly position: number;
}

/** A page of a collection in creation or reverse order, after a number of resources or after a position. */
export type StorePage = {
  readonly limit: number;
  /** `descending` begins with the one that came last. Left out, it is `ascending`. */
  readonly order?: 'ascending' | 'descending';
} & (
  | { readonly offset: number; readonly after?: undefined }
  | { readonly after: number; readonly offset?: undefined }
);

/** How much something holds. */
export interface CollectionCount {
  readonly name: string;
  readonly count: number;
}

/**
 * Where the mock keeps resources. Every kind obeys fixtures/store-laws.ts.
 *
 * A kind that need not wait answers at once, without a promise. Each method is atomic: of several callers that
 * insert under one key, one stores. A kind that is elsewhere and does not answer throws StoreUnavailable, or rejects
 * with it.
 */
export interface Store {
  /** Keeps a resource unless its parent is missing, or its key or a claim is taken; they are checked in this order. */
  insertIfAbsent(resource: StoredResource): MaybePromise<StoreOutcome>;
  /** Keeps a resource in place of the one with its key, if there is one, unless its parent is missing or a claim is taken. */
  replace(resource: StoredResource): MaybePromise<StoreOutcome>;
  /** Keeps a resource in place of the one with its key, only while that one's text is the one that was read. */
  swap(resource: StoredResource, was: string): MaybePromise<SwapOutcome>;
  /** The text of the resource under a key, or undefined. */
  get(collection: string, key: StoreKey): MaybePromise<string | undefined>;
  /** Forgets one resource and its claims; false where there was none, or not with the text that is given. */
  delete(collection: string, key: StoreKey, was?: string): MaybePromise<boolean>;
  /** Deletes a resource, its claims and the collections below it, their numbers included, in one step. */
  deleteTree(tree: StoredTree): MaybePromise<TreeOutcome>;
  /** The next number of a collection: 1, 2, 3 … */
  nextNumber(collection: string): MaybePromise<number>;
  /** Has the next number of a collection be a higher one than this. */
  passNumber(collection: string, number: number): MaybePromise<void>;
  /** The collections that hold anything, in the order in which they came. */
  collections(): MaybePromise<readonly CollectionCount[]>;
  /** How many resources a collection holds. */
  count(collection: string): MaybePromise<number>;
  /** A page of a collection; no resource that it does not show is looked at, however far it is. */
  list(collection: string, page: StorePage): MaybePromise<readonly ListedResource[]>;
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
  /** Replaces a snapshot (undefined: none) only if it still is what was read; else returns false and changes nothing. */
  swapSnapshot(swap: {
    readonly name: string;
    readonly was: StoreContent | undefined;
    readonly is: StoreContent | undefined;
  }): MaybePromise<boolean>;
  /** Forgets a snapshot; false where there was none. */
  deleteSnapshot(name: string): MaybePromise<boolean>;
  /** The names of the snapshots and how many resources each holds, by name. */
  snapshots(): MaybePromise<readonly CollectionCount[]>;
  /** Forgets everything, numbers included; snapshots stay. */
  reset(): MaybePromise<void>;
  /** Lets go of whatever the store holds open; nothing is called after it. */
  close(): MaybePromise<void>;
}

/** A collection as it is kept. */
export interface KeptCollection {
  /** The concrete URL path: `/shops/7/orders`. */
  readonly name: string;
  /** The number that was given last; 0 where none was. */
  readonly lastNumber: number;
  /** In the order in which they came. */
  readonly resources: readonly KeptResource[];
}

/** Everything that a store keeps, its snapshots aside: what a snapshot holds. */
export interface StoreContent {
  readonly collections: readonly KeptCollection[];
}

/** How many resources a content holds. */
export function countContent({ collections }: StoreContent): number {
  return collections.reduce((sum, { resources }) => sum + resources.length, 0);
}

/** How many resources several collections hold. */
export function sumCounts(counts: readonly CollectionCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** Counts in the order of their names. */
export function sortByName(counts: readonly CollectionCount[]): readonly CollectionCount[] {
  return counts.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/**
 * Writes a key, a claim or a name as a JSON text. That tells 1 from "1", and any characters travel in it: NUL, and
 * half of a pair of surrogates, which UTF-8 has no bytes for (RFC 8259 §8.2).
 */
export function toKeyText(key: StoreKey): string {
  return JSON.stringify(key);
}

/** Reads what toKeyText wrote. */
export function fromKeyText(text: string): StoreKey {
  // `as`: toKeyText wrote it.
  return JSON.parse(text) as StoreKey;
}

/** Reads the text that toKeyText wrote of a claim or a name. */
export function fromNameText(text: string): string {
  return String(fromKeyText(text));
}

/** Reads a row of a name, which toKeyText wrote, and a number. */
export function toCount([name, count]: readonly unknown[]): CollectionCount {
  return { name: fromNameText(String(name)), count: Number(count) };
}

/** Where a mock keeps its state. */
export interface StoreLocation {
  /** `own` where the mock was given a store that it does not know. */
  readonly kind: 'memory' | 'file' | 'redis' | 'own';
  /** Where it is, without a secret: `memory`, `file:orders.db`, `redis://127.0.0.1:6379/0?prefix=orders`. */
  readonly place: string;
  /** How many resources were there when the mock began. */
  readonly found: number;
}

/** A store, and where it is. */
export interface OpenedStore extends StoreLocation {
  readonly store: Store;
  /** Lets go of it; a store that was given to the mock stays open. */
  readonly close: () => Promise<void>;
}

/** A store is unreachable for now. The mock answers with 503, as neither the mock nor the request is wrong. */
export class StoreUnavailable extends ClocheError {
  /** When it was found to be away, in milliseconds since 1970. */
  readonly since: number;
  /** What is the matter, without a full stop. */
  readonly complaint: string;

  constructor(input: {
    /** Where the store is, without a secret: `file:orders.db`, `redis://127.0.0.1:6379/0`. */
    readonly place: string;
    /** What is the matter, without a full stop. */
    readonly reason: string;
    readonly since: number;
    readonly cause?: unknown;
  }) {
    super('STORE_UNUSABLE', {
      attempt: 'reach the store',
      subject: input.place,
      reason: `${input.reason}, since ${new Date(input.since).toISOString()}`,
      remedy: 'It is tried again with the next request; what was acknowledged is kept there',
      ...(input.cause === undefined ? {} : { cause: input.cause }),
    });
    this.since = input.since;
    this.complaint = input.reason;
  }
}

/** The key that a value is kept under: values that are equal to the last digit have one, others another. */
export function toStoreKey(value: JsonValue): StoreKey {
  // -0 and 0 are one key; Map has it so too.
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  // A text is never a number: 1e0 has the key of 1, and "1" has quotes.
  const text = valueKey(value);
  const number = Number(text);
  return Number.isSafeInteger(number) && String(number) === text ? number : text;
}

/** A name that a snapshot may have: 1 to 64 characters that need no quotes in a shell or a path, but for spaces. */
export const snapshotNameForm: RegExp = /^[\p{L}\p{N}_](?:[\p{L}\p{N} ._-]{0,62}[\p{L}\p{N}_.-])?$/u;
