import type { Store } from './store.ts';

/** One thing that every kind of store must do. */
export interface StoreLaw {
  /** What it does, as a sentence without a subject. */
  readonly title: string;
  /**
   * Proves it on a store.
   *
   * @param store - empty
   * @throws AssertionError where the store does otherwise
   */
  readonly prove: (store: Store) => Promise<void>;
}
