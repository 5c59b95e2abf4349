import type { Body } from './body.ts';
import type { Cases } from './cases.ts';
import { type Breakage, malformedCases } from './malformed-cases.ts';
import type { PlainBody } from './plain-body.ts';
import { withExtraMember } from './with-extra-member.ts';

function isText(part: Body[number] | undefined): part is string {
  return typeof part === 'string' && part.startsWith('"');
}

function isLastBrace(tokens: Body): boolean {
  return tokens.at(-1) === '}' || tokens.at(-1) === ']';
}

/** Puts something before the last bracket. */
function atEnd(...added: Body): Breakage {
  return (tokens) => (isLastBrace(tokens) ? [...tokens.slice(0, -1), ...added, ...tokens.slice(-1)] : tokens);
}

function withExtra(text: string): Breakage {
  return (tokens) => withExtraMember(tokens, text);
}

/** Changes the texts that are no keys. */
function inTexts(change: (text: string) => string): Breakage {
  return (tokens) =>
    tokens.map((token, index) => (isText(token) && tokens[index + 1] !== ':' ? change(token) : token));
}

const breakages: readonly Breakage[] = [
  atEnd(','),
  (tokens) => [...tokens, ' // comment'],
  (tokens) => ['/* comment */', ...tokens],
  atEnd('/* comment */'),
  (tokens) => tokens.flatMap((token) => (token === ':' ? [token, '/**/'] : [token])),
  (tokens) => tokens.map((token) => (isText(token) ? `'${token.slice(1, -1)}'` : token)),
  inTexts((text) => `'${text.slice(1, -1)}'`),
  (tokens) =>
    tokens.map((token, index) => (isText(token) && tokens[index + 1] === ':' ? token.slice(1, -1) : token)),
  withExtra('NaN'),
  withExtra('Infinity'),
  withExtra('-Infinity'),
  withExtra('0x10'),
  withExtra('+1'),
  withExtra('.5'),
  withExtra('undefined'),
  withExtra("'text'"),
  inTexts((text) => `"\n${text.slice(1)}`),
  inTexts((text) => `"\t${text.slice(1)}`),
  inTexts((text) => `"\u0000${text.slice(1)}`),
  inTexts((text) => `"\\\n${text.slice(1)}`),
  (tokens) => [...tokens, 'text'],
  (tokens) => [...tokens, '}'],
  (tokens) => [...tokens, ','],
  (tokens) => [...tokens, '{}'],
  (tokens) => [...tokens, '\n', ...tokens],
  (tokens) => [...tokens, '\u0000'],
  (tokens) => [")]}',\n", ...tokens],
  (tokens) => ['\u00a0', ...tokens],
];

/**
 * Plain bodies in known extensions of JSON, which a parser may accept (RFC 8259 §9): comments, trailing
 * commas, single quotes, bare keys, NaN, raw control characters, text after the value.
 */
export function jsonExtensions(body: PlainBody): Cases<Body> {
  return malformedCases(body, () => breakages);
}
