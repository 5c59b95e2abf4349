import type { Bracket, NumberProbe } from './bisect.ts';

/**
 * Narrows a bracket from its small end, in steps that double: limits are more often small than large, and large
 * probes cost more.
 *
 * @param bracket - `refused` is the larger
 * @returns undefined where an answer was unclear
 */
export async function gallop(bracket: Bracket, probe: NumberProbe): Promise<Bracket | undefined> {
  let { taken } = bracket;
  for (let next = taken * 2n + 1n; next < bracket.refused; next = next * 2n + 1n) {
    const verdict = await probe(next);
    if (verdict !== 'taken') {
      return verdict === 'refused' ? { taken, refused: next } : undefined;
    }
    taken = next;
  }
  return { taken, refused: bracket.refused };
}
