/** Escapes and character classes, where nothing is a quantifier; and the quantifiers without an upper bound. */
const pieces = /\\.|\[(?:\\.|[^\]\\])*\]|(?<open>[*+]|\{\d+,\})/gsu;
const assertions = /\(\?<?[=!](?:\\.|\[(?:\\.|[^\]\\])*\]|[^()\\])*\)/gsu;
/** How many quantifiers are tried, and how much fewer than the shortest length they may count. */
const most = { quantifiers: 4, fewer: 8 };

/** A pattern in which one of the open quantifiers counts to at least a number. */
function widen(pattern: string, position: number, count: number): string {
  let seen = -1;
  return pattern.replaceAll(pieces, (piece: string, open: string | undefined) => {
    seen += open === undefined ? 0 : 1;
    return open !== undefined && seen === position ? `{${count},}` : piece;
  });
}

/**
 * Patterns to generate texts from where a text of a pattern is wanted, the pattern itself the first: without
 * the assertions that look ahead or behind, and with quantifiers that reach the shortest length. What fits
 * one of them need not fit the pattern.
 *
 * @param input.minLength - in code points
 */
export function patternVariants(input: {
  readonly pattern: string;
  readonly minLength: number;
}): readonly string[] {
  const { pattern, minLength } = input;
  const plain = pattern.replaceAll(assertions, '');
  const open = [...plain.matchAll(pieces)].filter(({ groups }) => groups?.['open'] !== undefined);
  const counts = Array.from({ length: most.fewer + 1 }, (_, fewer) => minLength - fewer).filter(
    (count) => count > 1,
  );
  const wide = open
    .slice(0, most.quantifiers)
    .flatMap((_, position) => counts.map((count) => widen(plain, position, count)));
  return [...new Set([pattern, plain, ...wide])];
}
