import type { KeptResource } from '../store/store-content.ts';
import type { StoreKey } from '../store/store.ts';

/** Whether a resource that is kept fits what a mock goes by now. */
export type Fit =
  | {
      readonly kind: 'fits';
      /** What it is to be kept under. */
      readonly key: StoreKey;
      readonly claims: readonly string[];
    }
  | {
      readonly kind: 'unfit';
      /** In words, without a full stop. */
      readonly reason: string;
    };

/** Judges a resource of a collection, which is named by its concrete path. */
export type FitCheck = (collection: string, resource: KeptResource) => Fit;
