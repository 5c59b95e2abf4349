import { ClocheError } from './cloche-error.ts';

/**
 * Returns how many letters must be inserted, deleted, changed or swapped with their neighbour to turn one word into
 * another (Damerau 1964).
 */
function wordDistance(left: string, right: string): number {
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

/** Joins words to a phrase: `a, b or c`. */
export function joinWords(words: readonly string[], joint: 'and' | 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${joint} ${words.at(-1)}`;
}

/**
 * Returns the word that was probably meant, or undefined if none is close.
 *
 * @example
 * closestWord('sede', ['seed', 'suite']); // 'seed'
 */
export function closestWord(word: string, candidates: readonly string[]): string | undefined {
  // A long word is not a typo, and comparing it takes long.
  if (word.length > 40) return undefined;
  const meant = word.toLowerCase();
  const [best] = candidates
    .map((candidate) => {
      const known = candidate.toLowerCase();
      // The beginning of a word counts like one typo.
      const far = meant.length >= 3 && known.startsWith(meant) ? 1 : wordDistance(meant, known);
      return { candidate, far, farthest: Math.max(1, Math.floor(Math.min(meant.length, known.length) / 3)) };
    })
    .filter(({ far, farthest }) => far <= farthest)
    .toSorted((left, right) => left.far - right.far);
  return best?.candidate;
}

/** Returns the remedy for an unknown word: the word that was probably meant, or `otherwise` if none is close. */
export function suggestWord(word: string, known: readonly string[], otherwise: string): string {
  const near = closestWord(word, known);
  return near === undefined ? otherwise : `Perhaps ${near} was meant`;
}

/**
 * Checks that an object of options contains only known names. Otherwise a misspelt option would be ignored without a
 * message. TypeScript detects it only in object literals. `attempt` is that of ErrorParts:
 * `use the option of createMock()`.
 *
 * @throws ClocheError OPTION_INVALID for a value that is not an object, or for an unknown name
 *
 * @example
 * checkOptionNames({ token: 's' }, { names: ['tokens'], attempt: 'use the option' });
 * // Failed to use the option "token": there is none of this name. Perhaps "tokens" was meant.
 */
export function checkOptionNames(
  given: unknown,
  { names, attempt }: { readonly names: readonly string[]; readonly attempt: string },
): void {
  const remedy = `It takes ${names.join(', ')}`;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const reason = 'it is no object of named options';
    throw new ClocheError('OPTION_INVALID', { attempt, subject: String(given), reason, remedy });
  }
  const subject = Object.keys(given).find((name) => !names.includes(name));
  if (subject === undefined) return;
  const near = closestWord(subject, names);
  throw new ClocheError('OPTION_INVALID', {
    attempt,
    subject,
    reason: 'there is none of this name',
    remedy: near === undefined ? remedy : `Perhaps "${near}" was meant`,
  });
}
