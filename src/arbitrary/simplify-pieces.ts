import type { Body } from './body.ts';
import { joinParts } from './join-parts.ts';
import { keepFewer } from './keep-fewer.ts';

const pieces = /"(?:[^"\\]|\\.)*"|\s+|[\w.+-]+|[^]/gu;

/** The tokens of a body, or the characters of one that has a single token. */
function cut(body: Body): Body {
  const tokens = body.flatMap((part): Body =>
    typeof part === 'string' ? [...(part.match(pieces) ?? [])] : [part],
  );
  const [only] = tokens;
  return tokens.length === 1 && typeof only === 'string' ? [...only] : tokens;
}

/** Where an item of a list ends that starts at a comma: at the next comma or bracket that is not inside it. */
function endOfItem(tokens: Body, from: number): number {
  let depth = 0;
  for (let index = from + 1; index < tokens.length; index += 1) {
    const token = tokens[index];
    const isEnd = token === ',' || token === '}' || token === ']';
    if (depth === 0 && isEnd) {
      return index;
    }
    depth += token === '{' || token === '[' ? 1 : token === '}' || token === ']' ? -1 : 0;
  }
  return tokens.length;
}

/**
 * Makes what need not be JSON smaller: leaves out halves of its tokens, whole members and items, then single
 * tokens, and shortens texts. Something is always left, as a body of no bytes at all is a case of its own.
 */
export function* simplifyPieces(body: Body): Generator<Body> {
  const tokens = cut(body);
  const halves = Math.ceil(tokens.length / 2);
  if (tokens.length > 1) {
    yield joinParts(tokens.slice(0, halves));
    yield joinParts(tokens.slice(halves));
  }
  for (const [index, token] of tokens.entries()) {
    if (token === ',') {
      yield joinParts([...tokens.slice(0, index), ...tokens.slice(endOfItem(tokens, index))]);
    }
  }
  for (const [index, token] of tokens.entries()) {
    const isText = typeof token === 'string' && token.startsWith('"') && tokens[index + 1] !== ':';
    if (isText && token.length > '"a"'.length) {
      yield joinParts(tokens.with(index, '"a"'));
    }
  }
  for (const kept of keepFewer(tokens)) {
    if (kept.length > 0) {
      yield joinParts(kept);
    }
  }
}
