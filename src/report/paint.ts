/** The marks that a terminal understands, by what they are used for. */
const codes = {
  strong: [1, 22],
  faint: [2, 22],
  violation: [31, 39],
  advice: [33, 39],
  good: [32, 39],
} as const;

/** What a piece of text is, for a reader who sees colours. */
export type Tone = keyof typeof codes;

/** Marks text for a terminal, or leaves it as it is. */
export type Paint = (tone: Tone, text: string) => string;

/** @param hasColour - whether what is written to shows colours */
export function createPaint(hasColour: boolean): Paint {
  return (tone, text) => {
    const [on, off] = codes[tone];
    return hasColour ? `\u001B[${on}m${text}\u001B[${off}m` : text;
  };
}
