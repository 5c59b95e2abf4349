import type { Property } from './suite.ts';

/**
 * How many cases of a property a run tries.
 *
 * @param runs - how many it tries of a property whose cases count for one each
 */
export function countCases({ examples, arbitrary, countsAs = 1 }: Property, runs: number): number {
  if (arbitrary === undefined) {
    return examples.length;
  }
  return countsAs === 1 ? runs : Math.max(examples.length, Math.ceil(runs / countsAs));
}
