import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { TextRange } from '../../../json/locate-values.ts';
import { Shown } from '../parts/shown.tsx';
import { cutAround } from './cut-around.ts';

function renderStretch(
  text: string,
  { start, end }: TextRange,
  marks: readonly TextRange[],
): ComponentChildren {
  const pieces: ComponentChildren[] = [];
  let at = start;
  for (const mark of marks) {
    const isGap = mark.start === mark.end;
    if (isGap ? mark.start < start || mark.start > end : mark.end <= start || mark.start >= end) {
      continue;
    }
    const from = Math.max(at, mark.start);
    const to = Math.min(end, mark.end);
    pieces.push(
      <Shown text={text.slice(at, from)} />,
      <mark>{isGap ? '‸' : <Shown text={text.slice(from, to)} />}</mark>,
    );
    at = to;
  }
  return [...pieces, <Shown text={text.slice(at, end)} />];
}

/**
 * A text with parts of it marked; a long one is cut until somebody wants all of it.
 *
 * @param props.label - what the text is, for who cannot see where it stands
 */
export function MarkedText({
  text,
  marks,
  label,
}: {
  readonly text: string;
  readonly marks: readonly TextRange[];
  readonly label: string;
}): VNode {
  const [isWhole, setWhole] = useState(false);
  const stretches = isWhole ? [{ start: 0, end: text.length }] : cutAround(text, marks);
  const shown = stretches.reduce((sum, { start, end }) => sum + end - start, 0);
  return (
    <>
      {/* It may scroll, and then the keyboard has to reach it. */}
      <pre tabIndex={0} role="region" aria-label={label}>
        {stretches.map((stretch, index) => [
          index > 0 && <span class="cut"> … </span>,
          renderStretch(text, stretch, marks),
        ])}
        {(stretches.at(-1)?.end ?? 0) < text.length && <span class="cut"> …</span>}
      </pre>
      {shown < text.length && (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString('en')} characters
        </button>
      )}
    </>
  );
}
