import { octalEscape } from './octal-escape.ts';
import { printableText } from './printable-text.ts';

/** A part of a word of a bash line: bytes, one character each, or the value of a variable. */
export type BashPart =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'variable'; readonly name: string };

function quoteBytes(bytes: Uint8Array): string {
  const text = printableText(bytes);
  // `##[…]` in a line of its output is a command to a CI server, wherever it stands.
  if (text !== undefined && !text.includes('##')) {
    return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  }
  const escaped = Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c && byte !== 0x23
      ? String.fromCharCode(byte)
      : octalEscape(byte),
  );
  return `$'${escaped.join('')}'`;
}

/** What no shell gives a meaning of its own, wherever in a line it stands. */
const bare = /^[\w@%+:,./-][\w@%+=:,./-]*$/u;

/** Within double quotes these need care, and `!` cannot be escaped at a prompt. */
function isPlainInDoubleQuotes(part: BashPart): boolean {
  return part.kind === 'variable' || /^(?!.*##)[^"\\$`!]*$/u.test(printableText(part.bytes) ?? '!');
}

function quoteTogether(parts: readonly BashPart[]): string {
  const texts = parts.map((part) =>
    part.kind === 'variable' ? undefined : (printableText(part.bytes) ?? ''),
  );
  const words = parts.map((part, index) => {
    if (part.kind !== 'variable') {
      return texts[index];
    }
    return /^\w/u.test(texts[index + 1] ?? '') ? `\${${part.name}}` : `$${part.name}`;
  });
  return `"${words.join('')}"`;
}

/**
 * Quotes bytes and variables as one word of a bash line: `'{"id":1}'`, `"Bearer $CLOCHE_TOKEN"`, `$'\\200'`.
 *
 * @param parts - no byte of them may be NUL, which no word of bash can hold
 */
export function quoteForBash(parts: readonly BashPart[]): string {
  if (parts.length === 0) {
    return "''";
  }
  const hasVariable = parts.some((part) => part.kind === 'variable');
  if (hasVariable && parts.every((part) => isPlainInDoubleQuotes(part))) {
    return quoteTogether(parts);
  }
  return parts
    .map((part) => (part.kind === 'variable' ? `"$${part.name}"` : quoteBytes(part.bytes)))
    .join('');
}

/**
 * A text in quotes, as one word of a bash line, whatever it holds.
 *
 * @param text - without NUL, which no word of bash can hold
 */
export function quoteText(text: string): string {
  return quoteForBash([{ kind: 'bytes', bytes: new TextEncoder().encode(text) }]);
}

/** A text as {@link quoteText} gives it, without quotes where none are needed. */
export function quoteWord(text: string): string {
  return bare.test(text) ? text : quoteText(text);
}
