import type { TextRange } from '../../json/locate-values.ts';
import { parseJson } from '../../json/parse-json.ts';

/**
 * Finds the character that keeps a text from being JSON.
 *
 * @returns an empty stretch at the end where the text ends too early; nothing where it is JSON
 */
export function markSyntax(text: string): readonly TextRange[] {
  const parsed = parseJson(text);
  if (parsed.kind === 'json') {
    return [];
  }
  let start = 0;
  for (let line = 1; line < parsed.line; line += 1) {
    start = text.indexOf('\n', start) + 1;
  }
  start += parsed.column - 1;
  const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
  return [{ start, end: start < text.length ? start + character.length : start }];
}
