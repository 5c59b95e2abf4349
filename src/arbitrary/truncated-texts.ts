import type { Body } from './body.ts';
import type { Cases } from './cases.ts';
import { type Breakage, malformedCases } from './malformed-cases.ts';
import type { PlainBody } from './plain-body.ts';

/** Cuts before a token, counted from the end of the text. */
function cutBefore(fromEnd: number): Breakage {
  return (tokens) => tokens.slice(0, Math.max(0, tokens.length - fromEnd));
}

/** Cuts in the middle of a token, counted from the end of the text. */
function cutInside(fromEnd: number): Breakage {
  return (tokens) => {
    const index = Math.max(0, tokens.length - fromEnd);
    const token = tokens[index];
    const half = typeof token === 'string' ? token.slice(0, Math.ceil(token.length / 2)) : '';
    return [...tokens.slice(0, index), half];
  };
}

/** Plain bodies that end too early: at each token and within it, the last first, down to nothing at all. */
export function truncatedTexts(body: PlainBody): Cases<Body> {
  return malformedCases(body, (tokens) => [
    cutBefore(1),
    () => [],
    ...[...tokens.keys()].flatMap((index) => [cutInside(index + 1), cutBefore(index + 1)]),
  ]);
}
