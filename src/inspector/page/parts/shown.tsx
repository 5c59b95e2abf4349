import type { VNode } from 'preact';

/** Controls, formats (marks of direction among them), surrogates, unassigned characters; not line ends and tabs. */
const unseen = /([^\P{C}\n\t]|[\p{Zl}\p{Zp}])/u;

function nameCharacter(character: string): string {
  return character === '\r' ? String.raw`\r` : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/**
 * A text as it is, with a name for each character that cannot be seen or that changes how others are seen: no text
 * can look like another.
 *
 * @param props.most - in characters; what a longer one has besides is left out
 */
export function Shown({ text, most = Infinity }: { readonly text: string; readonly most?: number }): VNode {
  const isLong = text.length > most;
  const pieces = (isLong ? text.slice(0, most) : text).split(unseen);
  return (
    <bdi>
      {pieces.map((piece, index) =>
        // What is captured stands at the odd places.
        index % 2 === 1 ? <span class="named">{nameCharacter(piece)}</span> : piece,
      )}
      {isLong && '…'}
    </bdi>
  );
}
