/** The number of letters to insert, delete, replace or swap with their neighbour that makes one word of another. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      line.push(
        Math.min(
          (rows[row - 1]?.[column] ?? 0) + 1,
          (line[column - 1] ?? 0) + 1,
          (rows[row - 1]?.[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (rows[row - 2]?.[column - 2] ?? 0) + 1 : Number.MAX_SAFE_INTEGER,
        ),
      );
    }
    rows.push(line);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

/**
 * The word that was probably meant.
 *
 * @returns undefined where none of those known is near
 */
export function closestWord(word: string, known: readonly string[]): string | undefined {
  // A long word is no slip of the pen, and comparing it takes long.
  if (word.length > 40) {
    return undefined;
  }
  const [best] = known
    .map((name) => ({ name, steps: distance(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, steps }) => steps <= Math.max(1, Math.floor(Math.min(name.length, word.length) / 3)))
    .toSorted((a, b) => a.steps - b.steps);
  return best?.name;
}
