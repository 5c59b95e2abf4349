/**
 * How many letters are to be put in, left out, changed or swapped with their neighbour to make one word of another
 * (Damerau 1964).
 */
export function wordDistance(left: string, right: string): number {
  const width = right.length + 1;
  let twoAbove: number[] = [];
  let above = Array.from({ length: width }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    const letter = left.charCodeAt(row - 1);
    for (let column = 1; column < width; column += 1) {
      const other = right.charCodeAt(column - 1);
      let least = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (letter === other ? 0 : 1),
      );
      const isSwapped =
        row > 1 &&
        column > 1 &&
        letter === right.charCodeAt(column - 2) &&
        left.charCodeAt(row - 2) === other;
      if (isSwapped) {
        least = Math.min(least, (twoAbove[column - 2] ?? 0) + 1);
      }
      current.push(least);
    }
    twoAbove = above;
    above = current;
  }
  return above[width - 1] ?? 0;
}
