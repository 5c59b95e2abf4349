// oxlint-disable-next-line no-control-regex -- what a terminal takes as a mark and does not show
const marks = /\u001B\[\d+m/gu;

function lengthOf(text: string): number {
  return Array.from(text.replaceAll(marks, '')).length;
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
