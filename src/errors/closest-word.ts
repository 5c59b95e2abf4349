import { wordDistance } from './word-distance.ts';

/**
 * The word that somebody may have meant, or undefined where none is near.
 *
 * @example
 * closestWord('sede', ['seed', 'suite']); // 'seed'
 */
export function closestWord(word: string, candidates: readonly string[]): string | undefined {
  // A long word is no slip of the pen, and comparing it takes long.
  if (word.length > 40) {
    return undefined;
  }
  const meant = word.toLowerCase();
  const [best] = candidates
    .map((candidate) => {
      const known = candidate.toLowerCase();
      // The beginning of a word is as good as a slip.
      const far = meant.length >= 3 && known.startsWith(meant) ? 1 : wordDistance(meant, known);
      return { candidate, far, farthest: Math.max(1, Math.floor(Math.min(meant.length, known.length) / 3)) };
    })
    .filter(({ far, farthest }) => far <= farthest)
    .toSorted((left, right) => left.far - right.far);
  return best?.candidate;
}
