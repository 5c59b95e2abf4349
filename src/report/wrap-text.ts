import { withoutPaint } from '../errors/console-text.ts';

function lengthOf(text: string): number {
  return Array.from(withoutPaint(text)).length;
}

/**
 * Breaks a line between words, so that it fits the reader's columns; a longer word is left whole.
 *
 * @param width - undefined where there are no columns to fit: the line is left as it is
 * @param indent - how far every line but the first is put in
 */
export function wrapText(
  text: string,
  { width, indent }: { readonly width: number | undefined; readonly indent: number },
): readonly string[] {
  if (width === undefined || lengthOf(text) <= width) {
    return [text];
  }
  const [start = ''] = /^ */u.exec(text) ?? [];
  const lines: string[] = [];
  let line = start;
  let isEmpty = true;
  for (const piece of text.slice(start.length).match(/ *[^ ]+/gu) ?? []) {
    if (!isEmpty && lengthOf(line + piece) > width) {
      lines.push(line);
      line = ' '.repeat(indent) + piece.trimStart();
    } else {
      line += piece;
    }
    isEmpty = false;
  }
  return [...lines, line];
}
