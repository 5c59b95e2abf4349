import type { TextRange } from '../../json/locate-values.ts';

/** A text of up to this many UTF-16 code units is shown whole. */
const whole = 2_400;
/** How much is shown of the start of a longer one, and on either side of what is marked. */
const beginning = 800;
const around = 400;

/** Moves a cut out of the middle of a pair of surrogates. */
function settle(text: string, at: number): number {
  return /^[\uDC00-\uDFFF]/.test(text.charAt(at)) && /[\uD800-\uDBFF]$/.test(text.charAt(at - 1))
    ? at - 1
    : at;
}

/**
 * Picks what is shown of a text: all of a short one; of a long one its start, and the surroundings of the first
 * and the last thing that is marked.
 *
 * @param marks - in order
 * @returns stretches in order, none touching another
 */
export function keepAround(text: string, marks: readonly TextRange[]): readonly TextRange[] {
  if (text.length <= whole) {
    return [{ start: 0, end: text.length }];
  }
  const first = marks[0];
  const last = marks.at(-1);
  const wanted = [
    { start: 0, end: beginning },
    ...(first === undefined ? [] : [{ start: first.start - around, end: first.start + around }]),
    ...(last === undefined ? [] : [{ start: last.end - around, end: last.end + around }]),
  ].map(({ start, end }) => ({
    start: settle(text, Math.max(0, start)),
    end: settle(text, Math.min(text.length, end)),
  }));
  const kept: TextRange[] = [];
  for (const range of wanted.toSorted((left, right) => left.start - right.start)) {
    const before = kept.at(-1);
    if (before !== undefined && range.start <= before.end) {
      kept[kept.length - 1] = { start: before.start, end: Math.max(before.end, range.end) };
    } else {
      kept.push(range);
    }
  }
  return kept;
}
