/** Where a mock keeps its state. */
export interface StorePlace {
  /** `own` where the mock was given a store that it does not know. */
  readonly kind: 'memory' | 'file' | 'redis' | 'own';
  /** Where it is, without a secret: `memory`, `file:orders.db`, `redis://127.0.0.1:6379/0?prefix=orders`. */
  readonly place: string;
  /** How many resources were there when the mock began. */
  readonly found: number;
}
