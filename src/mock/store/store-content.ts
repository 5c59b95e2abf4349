import type { StoreKey } from './store.ts';

/** A resource that is kept. */
export interface KeptResource {
  readonly key: StoreKey;
  /** The resource as a JSON text. */
  readonly text: string;
  /** Texts that no two resources of the collection may share. */
  readonly claims: readonly string[];
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
