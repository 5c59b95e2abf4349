import type { BadRow } from './data-error.ts';

/** A collection that has fewer rows than were asked for. */
export interface ShortCollection {
  readonly collection: string;
  readonly made: number;
  readonly wanted: number;
}

/** What became of the data that a mock starts from, when it was last brought in. */
export interface DataReport {
  /** How many rows there are now that were not there. */
  readonly added: number;
  /** How many were there already: in a store that outlives the mock, or unchanged in changed data. */
  readonly present: number;
  /** How many took the place of what had their key. */
  readonly replaced: number;
  /** How many were taken away, since changed data does not have them. */
  readonly removed: number;
  /** Those that were left out, since the contract or what is there by now does not take them. */
  readonly left: readonly BadRow[];
  /** Collections for which fewer rows could be made up than were asked for: there are no more that differ. */
  readonly short: readonly ShortCollection[];
}
