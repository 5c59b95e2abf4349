/**
 * A class of keys that the allocator can draw from, so that a key under test can be drawn fresh too:
 * `plain`: 1 to 2^31−1; `negative`; `past-int32`: above 2^31; `past-double`: odd and above 2^53;
 * `near-int64-max` and `near-int64-min`: close to the ends of int64; `past-int64`: above them. For keys that
 * are strings every class gives a fresh text of ASCII letters and digits.
 */
export type KeyClass =
  | 'plain'
  | 'negative'
  | 'past-int32'
  | 'past-double'
  | 'near-int64-max'
  | 'near-int64-min'
  | 'past-int64';

/**
 * The place of a key in a body. Slots of one number get one key within one binding; the twins of a key
 * differ from it only past 2^53 (`double-twin`) or only past 32 bits (`int32-twin`).
 */
export interface KeySlot {
  readonly slot: number;
  readonly class: KeyClass;
  readonly variant: 'itself' | 'double-twin' | 'int32-twin';
  /** How the key is written into a body. @defaultValue UTF-8 */
  readonly encoding?: 'utf-16le' | 'utf-16be';
}

/** The slot of a plain key. */
export const plainKey: KeySlot = { slot: 0, class: 'plain', variant: 'itself' };
