import type { Property } from '../suite.ts';

/**
 * Whether two services can be compared by the cases of a property: not where requests arrive in an order that is
 * chance, nor where the framing of an answer is looked at, which has no class.
 */
export function isComparable({ sendsTogether = false, via = 'client' }: Property): boolean {
  return !sendsTogether && via === 'client';
}
