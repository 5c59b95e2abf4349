import type { TextRange } from '../../json/locate-values.ts';
import { nameCharacter, unseen } from './escape-html.ts';
import { markup, type Markup } from './markup.ts';
import { keepAround } from './keep-around.ts';

/** A text whose unseen characters are named, and can be told from the same letters in the text. */
function showText(text: string): Markup {
  const pieces: Markup[] = [];
  let at = 0;
  for (const { index, 0: character } of text.matchAll(unseen)) {
    pieces.push(markup`${text.slice(at, index)}<span class="esc">${nameCharacter(character)}</span>`);
    at = index + character.length;
  }
  pieces.push(markup`${text.slice(at)}`);
  return markup`${pieces}`;
}

/** One after the other, none reaching into another, none past the text. */
function inOrder(ranges: readonly TextRange[], text: string): readonly TextRange[] {
  const marks: TextRange[] = [];
  for (const { start, end } of ranges.toSorted((left, right) => left.start - right.start)) {
    const from = Math.max(start, marks.at(-1)?.end ?? 0);
    const to = Math.min(end, text.length);
    if (from < to || (start === end && from === start)) {
      marks.push({ start: from, end: Math.max(from, to) });
    }
  }
  return marks;
}

function countBytes(text: string): string {
  return new TextEncoder().encode(text).length.toLocaleString('en-US');
}

function renderStretch(text: string, { start, end }: TextRange, marks: readonly TextRange[]): Markup {
  const pieces: Markup[] = [];
  let at = start;
  for (const mark of marks) {
    if (mark.start === mark.end && mark.start >= start && mark.start <= end) {
      pieces.push(showText(text.slice(at, mark.start)), markup`<mark class="gap">‸</mark>`);
      at = mark.start;
    } else if (mark.start < end && mark.end > start) {
      const from = Math.max(at, mark.start);
      const to = Math.min(end, mark.end);
      pieces.push(showText(text.slice(at, from)), markup`<mark>${showText(text.slice(from, to))}</mark>`);
      at = to;
    }
  }
  return markup`${pieces}${showText(text.slice(at, end))}`;
}

/**
 * Renders a text of the exchange with parts of it marked; of a long one only the start and what is near the
 * marks, with the length of what was left out.
 *
 * @param ranges - what is marked; an empty one marks a place between two characters
 */
export function renderMarkedText(text: string, ranges: readonly TextRange[]): Markup {
  const marks = inOrder(ranges, text);
  const kept = keepAround(text, marks);
  let at = 0;
  const pieces = kept.map((stretch) => {
    const left = text.slice(at, stretch.start);
    at = stretch.end;
    return markup`${left === '' ? undefined : markup`<span class="cut">… ${countBytes(left)} bytes …</span>`}${renderStretch(text, stretch, marks)}`;
  });
  const rest = text.slice(at);
  return markup`${pieces}${rest === '' ? undefined : markup`<span class="cut">… ${countBytes(rest)} bytes more</span>`}`;
}
