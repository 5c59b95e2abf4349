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

/** Moves a cut out of a surrogate pair. */
export function settleCut(text: string, at: number): number {
  return /^[\uDC00-\uDFFF]/.test(text.charAt(at)) && /[\uD800-\uDBFF]$/.test(text.charAt(at - 1))
    ? at - 1
    : at;
}

/** Lengths in UTF-16 code units. */
interface ShownLengths {
  /** The maximum length of a text that is shown whole. */
  readonly whole: number;
  /** The shown length of the start of a longer text. */
  readonly beginning: number;
  /** The shown length of the text before and after a place. */
  readonly around: number;
}

/**
 * Returns the shown ranges of a text: all of a short one; of a long one its start, and the context of `places`, which are
 * in order. The ranges are ordered and do not touch.
 */
export function keepAround(
  text: string,
  places: readonly number[],
  { whole, beginning, around }: ShownLengths,
): readonly TextRange[] {
  if (text.length <= whole) return [{ start: 0, end: text.length }];
  const kept: TextRange[] = [{ start: 0, end: settleCut(text, beginning) }];
  for (const at of places) {
    const start = settleCut(text, Math.max(0, at - around));
    const end = settleCut(text, Math.min(text.length, at + around));
    const before = kept.at(-1);
    if (before !== undefined && start <= before.end) {
      kept[kept.length - 1] = { start: before.start, end: Math.max(before.end, end) };
    } else {
      kept.push({ start, end });
    }
  }
  return kept;
}
