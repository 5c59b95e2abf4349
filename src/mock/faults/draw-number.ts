/** What a drawn number depends on; the same gives the same. */
export interface Draw {
  readonly seed: number;
  /** What is drawn for: the id of a rule. */
  readonly subject: string;
  /** What the number is used for, so that two uses have nothing to do with each other. */
  readonly use: 'share' | 'delay';
  /** Which request it is, from 1. */
  readonly turn: number;
}

/**
 * Draws a number from 0 up to 1 that looks random. It keeps no state, so that what else a mock is asked in
 * between changes nothing: FNV-1a over what it depends on, mixed as MurmurHash3 ends.
 */
export function drawNumber({ seed, subject, use, turn }: Draw): number {
  let hash = 0x811c9dc5;
  for (const character of `${seed} ${use} ${turn} ${subject}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
