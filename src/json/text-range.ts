import type { TextRange } from './locate.ts';

/** Puts ranges of a text in order, none reaching into another, none past the end of the text. */
export function orderRanges(text: string, ranges: readonly TextRange[]): readonly TextRange[] {
  const ordered: TextRange[] = [];
  for (const { start, end } of ranges.toSorted((left, right) => left.start - right.start)) {
    const from = Math.max(start, ordered.at(-1)?.end ?? 0);
    const to = Math.min(end, text.length);
    if (from < to || (start === end && from === start)) {
      ordered.push({ start: from, end: Math.max(from, to) });
    }
  }
  return ordered;
}

/** A piece of a text: plain, marked, or the gap between two characters that an empty range marks. */
interface MarkedPiece {
  readonly text: string;
  readonly mark?: 'text' | 'gap';
}

/** Cuts a stretch of a text into pieces, at marks that are in order. */
export function cutAtMarks(
  text: string,
  { start, end }: TextRange,
  marks: readonly TextRange[],
): readonly MarkedPiece[] {
  const pieces: MarkedPiece[] = [];
  let at = start;
  for (const mark of marks) {
    const isGap = mark.start === mark.end;
    if (isGap ? mark.start < start || mark.start > end : mark.end <= start || mark.start >= end) continue;
    const from = Math.max(at, mark.start);
    const to = Math.min(end, mark.end);
    pieces.push({ text: text.slice(at, from) }, { text: text.slice(from, to), mark: isGap ? 'gap' : 'text' });
    at = to;
  }
  return [...pieces, { text: text.slice(at, end) }];
}
