import type { Boundary } from '../../check/boundary.ts';
import { bisect, type Bracket } from './bisect.ts';
import { gallop } from './gallop.ts';
import type { Prober } from './prober.ts';

/** The least size that is tried; what is refused below it is hardly refused for its size. */
const least = 1_024;

/**
 * Finds the greatest size of a body that a service takes, with white space between the tokens of a plain one.
 *
 * @param largest - the size in bytes of the largest body that was refused
 */
export async function findBodySizeBoundary(prober: Prober, largest: number): Promise<Boundary | undefined> {
  const probe = async (bytes: bigint) => (await prober.pad(Number(bytes))).verdict;
  const isRefused = largest > least && (await probe(BigInt(largest))) === 'refused';
  if (!isRefused || (await probe(BigInt(least))) !== 'taken') {
    return undefined;
  }
  const bracket: Bracket = { taken: BigInt(least), refused: BigInt(largest) };
  const near = await gallop(bracket, probe);
  const found = near && (await bisect(near, probe));
  if (found === undefined) {
    return undefined;
  }
  // Once more, with other keys.
  const isLimit = (await probe(found.taken)) === 'taken' && (await probe(found.refused)) === 'refused';
  return isLimit
    ? { what: 'body-size', place: '', accepted: Number(found.taken), refused: Number(found.refused) }
    : undefined;
}
