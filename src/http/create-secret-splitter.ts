/** A piece of a text: as it stands, or in the place of a secret. */
export type SecretPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** `index` is the place of the secret in the list. */
  | { readonly kind: 'secret'; readonly index: number };

/** A shorter secret counts only where it stands as a word of its own: `t` is no part of `Content-Type`. */
const shortestUnmistakable = 6;

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}

function toPattern(secret: string): string {
  const escaped = escapePattern(secret);
  return secret.length < shortestUnmistakable ? `(?<![0-9A-Za-z_-])${escaped}(?![0-9A-Za-z_-])` : escaped;
}

/** As it is, and as it stands in a field value that has one character a byte, in a URL and in a JSON text. */
function spellings(secret: string): string[] {
  const bytes = String.fromCharCode(...new TextEncoder().encode(secret));
  const inUrl = encodeURIComponent(secret.replaceAll(/\p{Surrogate}/gu, '\u{FFFD}'));
  return [secret, bytes, inUrl, JSON.stringify(secret).slice(1, -1)];
}

/**
 * Creates what cuts texts at every place where a secret stands in them, percent-encoded or JSON-escaped too.
 *
 * @param secrets - an empty one is passed over
 * @returns a function that gives the pieces of a text in order, none of them empty
 */
export function createSecretSplitter(secrets: readonly string[]): (text: string) => SecretPiece[] {
  const indexes = new Map<string, number>();
  for (const [index, secret] of secrets.entries()) {
    for (const spelling of spellings(secret)) {
      if (spelling !== '' && !indexes.has(spelling)) {
        indexes.set(spelling, index);
      }
    }
  }
  // The longest first: one secret may begin with another.
  const longestFirst = [...indexes.keys()].toSorted((a, b) => b.length - a.length);
  if (longestFirst.length === 0) {
    return (text) => (text === '' ? [] : [{ kind: 'text', text }]);
  }
  const pattern = new RegExp(`(${longestFirst.map((spelling) => toPattern(spelling)).join('|')})`, 'u');
  return (text) =>
    text
      .split(pattern)
      .map((piece, position): SecretPiece => {
        const index = position % 2 === 1 ? indexes.get(piece) : undefined;
        return index === undefined ? { kind: 'text', text: piece } : { kind: 'secret', index };
      })
      .filter((piece) => piece.kind === 'secret' || piece.text !== '');
}
