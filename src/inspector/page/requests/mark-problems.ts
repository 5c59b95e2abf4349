import { locateValues, type TextRange } from '../../../json/locate-values.ts';
import type { RequestProblem } from '../../../mock/log/logged-request.ts';

/** The first and the last character of an object or an array, and all of anything else. */
function toMarks(text: string, { start, end }: TextRange): readonly TextRange[] {
  // Something in it is missing, or there is too much: all of it marked would show nothing.
  return /[[{]/.test(text.charAt(start))
    ? [
        { start, end: start + 1 },
        { start: end - 1, end },
      ]
    : [{ start, end }];
}

/** One after the other, none reaching into another, none past the text. */
function inOrder(marks: readonly TextRange[], text: string): readonly TextRange[] {
  const kept: TextRange[] = [];
  for (const { start, end } of marks.toSorted((left, right) => left.start - right.start)) {
    const from = Math.max(start, kept.at(-1)?.end ?? 0);
    const to = Math.min(end, text.length);
    if (from < to || (start === end && from === start)) {
      kept.push({ start: from, end: Math.max(from, to) });
    }
  }
  return kept;
}

/**
 * Finds the parts of a body that speak against a request.
 *
 * @returns stretches in order; an empty one is a place between two characters
 */
export function markProblems(text: string, problems: readonly RequestProblem[]): readonly TextRange[] {
  const pointers = problems.flatMap(({ pointer }) => pointer ?? []);
  // What is missing stands nowhere: what should hold it is marked.
  const held = pointers.map((pointer) => pointer.slice(0, Math.max(0, pointer.lastIndexOf('/'))));
  const places = locateValues(text, [...pointers, ...held]);
  const values = pointers.flatMap((_, index) => {
    const place = places[index] ?? places[index + pointers.length];
    return place === undefined ? [] : toMarks(text, place.value);
  });
  const breaks = problems.flatMap(({ position }) => {
    const start = Math.min(position ?? 0, text.length);
    return position === undefined ? [] : [{ start, end: Math.min(start + 1, text.length) }];
  });
  return inOrder([...values, ...breaks], text);
}
