/** How many letters are to be put in, left out, changed or swapped with their neighbour (Damerau 1964). */
function distance(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current.push(
        Math.min(
          at(row - 1, column) + 1,
          (current[column - 1] ?? 0) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(left.length, right.length);
}

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
      const far = meant.length >= 3 && known.startsWith(meant) ? 1 : distance(meant, known);
      return { candidate, far, farthest: Math.max(1, Math.floor(Math.min(meant.length, known.length) / 3)) };
    })
    .filter(({ far, farthest }) => far <= farthest)
    .toSorted((left, right) => left.far - right.far);
  return best?.candidate;
}
