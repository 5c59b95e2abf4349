const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Writes a character that cannot be seen, or that changes how others are seen, as one would name it:
 * `\u{202e}`. A byte that is no UTF-8 is `\xff` (see {@link decodeForPage}).
 */
export function nameCharacter(character: string): string {
  if (character === '\r') {
    return String.raw`\r`;
  }
  const code = character.codePointAt(0) ?? 0;
  // A byte that is no UTF-8 stands in the text as a low surrogate.
  return code >= 0xdc80 && code <= 0xdcff
    ? `\\x${(code - 0xdc00).toString(16)}`
    : `\\u{${code.toString(16)}}`;
}

/** Controls, formats (marks of direction among them), surrogates, unassigned characters; not line ends and tabs. */
export const unseen: RegExp = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu;

/**
 * Escapes a text for HTML, in content and in attributes in quotes. What cannot be seen in it is named, so that
 * a text cannot look like another.
 */
export function escapeHtml(text: string): string {
  return text
    .replaceAll(unseen, nameCharacter)
    .replaceAll(/[&<>"']/gu, (character) => entities[character] ?? '');
}
