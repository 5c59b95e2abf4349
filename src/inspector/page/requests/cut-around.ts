import type { TextRange } from '../../../json/locate-values.ts';

/** A text up to this long is shown whole, in UTF-16 code units. */
const whole = 4_000;
const around = 1_000;

/** Moves a cut out of the middle of a pair of surrogates. */
function settle(text: string, at: number): number {
  return /^[\uDC00-\uDFFF]/.test(text.charAt(at)) && at > 0 ? at - 1 : at;
}

/** Picks what is shown at first of a long text: its start, and the surroundings of the first mark. */
export function cutAround(text: string, marks: readonly TextRange[]): readonly TextRange[] {
  if (text.length <= whole) {
    return [{ start: 0, end: text.length }];
  }
  const first = marks[0];
  const beginning = { start: 0, end: settle(text, around * 2) };
  if (first === undefined || first.end < beginning.end) {
    return [beginning];
  }
  const near = {
    start: settle(text, Math.max(0, first.start - around)),
    end: settle(text, Math.min(text.length, first.start + around)),
  };
  return near.start <= beginning.end ? [{ start: 0, end: near.end }] : [beginning, near];
}
