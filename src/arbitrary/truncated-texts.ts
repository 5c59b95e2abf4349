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

/** Moves the key to the front, so that it is still there when the end of the text is not. */
function keyFirst(tokens: Body): Body {
  const index = tokens.findIndex((token) => typeof token === 'object' && 'slot' in token);
  const isLater = index > 3 && tokens[0] === '{' && tokens[index - 1] === ':';
  return isLater
    ? ['{', ...tokens.slice(index - 2, index + 1), ',', ...tokens.toSpliced(index - 3, 4).slice(1)]
    : tokens;
}

/**
 * Plain bodies that end too early: at each token and within it, the last first, down to nothing at all. The first
 * ones still hold their key.
 */
export function truncatedTexts(body: PlainBody): Cases<Body> {
  return malformedCases(body, (tokens) => [
    cutBefore(1),
    (keyed) => cutInside(2)(keyFirst(keyed)),
    () => [],
    ...[...tokens.keys()].flatMap((index) => [cutInside(index + 1), cutBefore(index + 1)]),
  ]);
}
