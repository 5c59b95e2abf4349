/** What a service says to a probe: anything but a success and a declared refusal is unclear. */
export type Verdict = 'taken' | 'refused' | 'unclear';

/** Two numbers, of which a service accepts one and refuses the other; either may be the larger. */
export interface Bracket {
  readonly taken: bigint;
  readonly refused: bigint;
}

/** How a number is tried. */
export type NumberProbe = (number: bigint) => Promise<Verdict>;

/** Narrows a bracket until its ends are neighbours, by halves; undefined where an answer was unclear. */
export async function bisect(bracket: Bracket, probe: NumberProbe): Promise<Bracket | undefined> {
  let found = bracket;
  while (found.refused - found.taken > 1n || found.taken - found.refused > 1n) {
    const middle = (found.taken + found.refused) / 2n;
    const verdict = await probe(middle);
    if (verdict === 'unclear') return undefined;
    found = { ...found, [verdict]: middle };
  }
  return found;
}

/**
 * Narrows a bracket, `refused` its larger end, from below in steps that double: limits are rather small, and large
 * probes cost more. Undefined where an answer was unclear.
 */
export async function gallop(bracket: Bracket, probe: NumberProbe): Promise<Bracket | undefined> {
  let { taken } = bracket;
  for (let next = taken * 2n + 1n; next < bracket.refused; next = next * 2n + 1n) {
    const verdict = await probe(next);
    if (verdict !== 'taken') return verdict === 'refused' ? { taken, refused: next } : undefined;
    taken = next;
  }
  return { taken, refused: bracket.refused };
}

const powersOfTen = [...Array(18).keys()].flatMap((digits) => {
  const power = 10n ** BigInt(digits + 1);
  return [power - 1n, power];
});
const powersOfTwo = [7n, 8n, 15n, 16n, 31n, 32n, 53n, 63n].flatMap((bits) => [2n ** bits - 1n, 2n ** bits]);
const magnitudes = [1n, ...powersOfTen, ...powersOfTwo];

/** Numbers at which limits are set more often than elsewhere: ends of machine types, powers of ten; ascending. */
export const notableNumbers: readonly bigint[] = [
  ...new Set([0n, ...magnitudes, ...magnitudes.map((magnitude) => -magnitude)]),
].toSorted((left, right) => (left < right ? -1 : 1));
