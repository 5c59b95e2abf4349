import type { Store } from './store.ts';
import type { StorePlace } from './store-place.ts';

/** A store, and where it is. */
export interface OpenedStore extends StorePlace {
  readonly store: Store;
  /** Lets go of it; a store that was given to the mock stays open. */
  readonly close: () => Promise<void>;
}
