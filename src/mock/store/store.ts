import { ClocheError } from '../../errors/cloche-error.ts';
import type { JsonValue } from '../../json/value.ts';
import { valueKey } from '../../schema/walk.ts';
import type { MaybePromise } from '../message.ts';

/** The id of a stored resource: a safe integer as a number, which is fastest; any other value as its JSON text. */
export type StoreKey = string | number;

/** A stored resource. */
export interface KeptResource {
  readonly key: StoreKey;
  /**
   * The resource as a JSON text: it keeps all digits, is immutable, and is a single flat object to the garbage
   * collector. An unpaired surrogate is escaped in it, because UTF-8 cannot encode it.
   */
  readonly text: string;
  /** Texts that no two resources of the collection may share: its unique values, in any order. */
  readonly claims: readonly string[];
}

/** The place of a resource in the store. */
export interface StorePlace {
  /** The concrete URL path of the collection: `/shops/7/orders`. */
  readonly collection: string;
  readonly key: StoreKey;
}

/** A resource to store. */
export interface StoredResource extends KeptResource, StorePlace {
  /** The possible places of its parent. At least one must contain a resource; undefined if no parent is required. */
  readonly parents?: readonly StorePlace[] | undefined;
}

/** A resource to delete together with the collections below it. */
export interface StoredTree extends StorePlace {
  /** The text that was read. If the resource now has another text, nothing is deleted. Undefined deletes any text. */
  readonly was?: string;
  /** The concrete URL path of the resource. The names of the collections below it begin with this path and a slash. */
  readonly path: string;
  /** `delete` empties the collections below; `refuse` deletes nothing while one of them contains a resource. */
  readonly below: 'delete' | 'refuse';
}

/** The outcome of deleting a tree. `absent`: the resource is gone or has another text; nothing was deleted. */
export type TreeOutcome = 'deleted' | 'absent' | 'not-empty';

/** The outcome of storing a resource. */
export type StoreOutcome =
  | { readonly kind: 'stored' }
  /** The id already exists, with this text. Nothing was changed. */
  | { readonly kind: 'key-taken'; readonly text: string }
  /** Another resource of the collection has this claim. Nothing was changed. */
  | { readonly kind: 'claim-taken'; readonly claim: string }
  /** A parent is required and there is none. Nothing was changed. */
  | { readonly kind: 'parent-missing' };

/** The outcome of replacing a resource. */
export type KeepOutcome = Extract<StoreOutcome, { kind: 'stored' | 'claim-taken' }>;

/** The outcome of changing a resource that was read before. */
export type SwapOutcome =
  /** `changed`: the id now has another text, or none. Nothing was changed. */
  { readonly kind: 'changed' } | KeepOutcome;

/** A resource with its position in its collection. */
export interface ListedResource extends KeptResource {
  /** Higher than those of all resources created before; a replacement keeps it. Positions have gaps. */
  readonly position: number;
}

/** A page of a collection in creation or reverse order, after a number of resources or after a position. */
export type StorePage = {
  readonly limit: number;
  /** `descending` begins with the latest; `ascending` by default. */
  readonly order?: 'ascending' | 'descending';
} & (
  | { readonly offset: number; readonly after?: undefined }
  | { readonly after: number; readonly offset?: undefined }
);

/** The number of resources in a collection or snapshot. */
export interface CollectionCount {
  readonly name: string;
  readonly count: number;
}

/**
 * A store for the resources of a mock. Every kind obeys fixtures/store-laws.ts.
 *
 * A kind that need not wait answers synchronously, without a promise. Each method is atomic: of several callers that
 * insert the same id, one succeeds. An external store that does not answer throws StoreUnavailable, or rejects with it.
 */
export interface Store {
  /** Stores a resource unless its parent is missing, its id exists, or a claim exists; checked in this order. */
  insertIfAbsent(resource: StoredResource): MaybePromise<StoreOutcome>;
  /** Stores or replaces a resource, unless its parent is missing or another resource has one of its claims. */
  replace(resource: StoredResource): MaybePromise<StoreOutcome>;
  /** Replaces the resource with the same id, only if its text is still the one that was read. */
  swap(resource: StoredResource, was: string): MaybePromise<SwapOutcome>;
  /** Returns the text of the resource with an id, or undefined. */
  get(collection: string, key: StoreKey): MaybePromise<string | undefined>;
  /** Returns the claims of the resource with an id, in any order; none if there is no resource. */
  claims(collection: string, key: StoreKey): MaybePromise<readonly string[]>;
  /** Deletes a resource and its claims; returns false if there is none, or if its text is not the given one. */
  delete(collection: string, key: StoreKey, was?: string): MaybePromise<boolean>;
  /** Deletes a resource, its claims and the collections below it with their numbers, in one step. */
  deleteTree(tree: StoredTree): MaybePromise<TreeOutcome>;
  /** Returns the next number of a collection: 1, 2, 3 … */
  nextNumber(collection: string): MaybePromise<number>;
  /** Makes the next number of a collection higher than this one. */
  passNumber(collection: string, number: number): MaybePromise<void>;
  /** Lists the collections with at least one resource, in creation order. */
  collections(): MaybePromise<readonly CollectionCount[]>;
  /** Returns the number of resources in a collection. */
  count(collection: string): MaybePromise<number>;
  /** Returns a page of a collection. Reads only the resources on the page, whatever its offset. */
  list(collection: string, page: StorePage): MaybePromise<readonly ListedResource[]>;
  /** Returns all content, from one moment. */
  dump(): MaybePromise<StoreContent>;
  /** Replaces all content in one step; snapshots stay. */
  load(content: StoreContent): MaybePromise<void>;
  /** Like load, but only if there are no resources; otherwise returns false and changes nothing. */
  loadIfEmpty(content: StoreContent): MaybePromise<boolean>;
  /** Saves or replaces a snapshot. Unlike the content of the store, it outlives reset(). */
  saveSnapshot(name: string, content: StoreContent): MaybePromise<void>;
  /** Returns the content of a snapshot, or undefined. */
  readSnapshot(name: string): MaybePromise<StoreContent | undefined>;
  /** Replaces a snapshot (undefined: none) only if it is still the one that was read; otherwise returns false. */
  swapSnapshot(swap: {
    readonly name: string;
    readonly was: StoreContent | undefined;
    readonly is: StoreContent | undefined;
  }): MaybePromise<boolean>;
  /** Deletes a snapshot; returns false if it does not exist. */
  deleteSnapshot(name: string): MaybePromise<boolean>;
  /** Lists the names of the snapshots and the number of resources in each, by name. */
  snapshots(): MaybePromise<readonly CollectionCount[]>;
  /** Removes everything including the numbers; snapshots stay. */
  reset(): MaybePromise<void>;
  /** Closes the store; no method is called afterwards. */
  close(): MaybePromise<void>;
}

/** A stored collection. */
export interface KeptCollection {
  /** The concrete URL path: `/shops/7/orders`. */
  readonly name: string;
  /** The last number that was returned; 0 if there was none. */
  readonly lastNumber: number;
  /** The resources in creation order. */
  readonly resources: readonly KeptResource[];
}

/** All content of a store except its snapshots; also the content of a snapshot. */
export interface StoreContent {
  readonly collections: readonly KeptCollection[];
}

/** Returns the number of resources in a content. */
export function countContent({ collections }: StoreContent): number {
  return collections.reduce((sum, { resources }) => sum + resources.length, 0);
}

/** Returns the number of resources in several collections. */
export function sumCounts(counts: readonly CollectionCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** Sorts counts by name. */
export function sortByName(counts: readonly CollectionCount[]): readonly CollectionCount[] {
  return counts.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/**
 * Formats an id, a claim or a name as a JSON text. It distinguishes 1 from "1", and can contain any characters: NUL,
 * and unpaired surrogates, which UTF-8 cannot encode (RFC 8259 §8.2).
 */
export function toKeyText(key: StoreKey): string {
  return JSON.stringify(key);
}

/** Parses an id that toKeyText formatted. */
export function fromKeyText(text: string): StoreKey {
  // `as`: toKeyText formatted it.
  return JSON.parse(text) as StoreKey;
}

/** Parses a claim or a name that toKeyText formatted. */
export function fromNameText(text: string): string {
  return String(fromKeyText(text));
}

/** Reads a row of a name, which toKeyText formatted, and a number. */
export function toCount([name, count]: readonly unknown[]): CollectionCount {
  return { name: fromNameText(String(name)), count: Number(count) };
}

/** The location of the state of a mock. */
export interface StoreLocation {
  /** `own` for a store that the caller passed in. */
  readonly kind: 'memory' | 'file' | 'redis' | 'own';
  /** The location without a secret: `memory`, `file:orders.db`, `redis://127.0.0.1:6379/0?prefix=orders`. */
  readonly place: string;
  /** The number of resources in it when the mock started. */
  readonly found: number;
}

/** A store with its location. */
export interface OpenedStore extends StoreLocation {
  readonly store: Store;
  /** Closes it; a store that the caller passed in stays open. */
  readonly close: () => Promise<void>;
}

/** A store is unreachable for now. The mock answers with 503, as neither the mock nor the request is wrong. */
export class StoreUnavailable extends ClocheError {
  /** The time at which it was found unavailable, in milliseconds since 1970. */
  readonly since: number;
  /** The reason, without a full stop. */
  readonly complaint: string;

  constructor(input: {
    /** The location of the store, without a secret: `file:orders.db`, `redis://127.0.0.1:6379/0`. */
    readonly place: string;
    /** The reason, without a full stop. */
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

/** Converts a value to an id: values that are equal to the last digit have the same id, others have different ids. */
export function toStoreKey(value: JsonValue): StoreKey {
  // -0 and 0 are one id, as in a Map.
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  // A string never becomes a number: 1e0 has the id of 1, and "1" has quotes.
  const text = valueKey(value);
  const number = Number(text);
  return Number.isSafeInteger(number) && String(number) === text ? number : text;
}

/** The form of the name of a snapshot: 1 to 64 characters that, except spaces, need no quotes in a shell or a path. */
export const snapshotNameForm: RegExp = /^[\p{L}\p{N}_](?:[\p{L}\p{N} ._-]{0,62}[\p{L}\p{N}_.-])?$/u;
