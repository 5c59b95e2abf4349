import type { Verdict } from './verdict.ts';

/** Two numbers, of which a service takes the one and refuses the other; either may be the larger. */
export interface Bracket {
  readonly taken: bigint;
  readonly refused: bigint;
}

/** How a number is tried. */
export type NumberProbe = (number: bigint) => Promise<Verdict>;

/**
 * Narrows a bracket until its ends are neighbours, by halves.
 *
 * @returns undefined where an answer was unclear
 */
export async function bisect(bracket: Bracket, probe: NumberProbe): Promise<Bracket | undefined> {
  let { taken, refused } = bracket;
  while (refused - taken > 1n || taken - refused > 1n) {
    const middle = (taken + refused) / 2n;
    const verdict = await probe(middle);
    if (verdict === 'unclear') {
      return undefined;
    }
    taken = verdict === 'taken' ? middle : taken;
    refused = verdict === 'refused' ? middle : refused;
  }
  return { taken, refused };
}
