import fc from 'fast-check';
import { decodeUtf8 } from '../http/bytes.ts';
import { isJson } from '../json/parse.ts';
import { type PlainBody, plainTokens } from './plain-body.ts';
import {
  type Body,
  type Cases,
  isKeySlot,
  isText,
  joinParts,
  lateExamples,
  noCases,
  takeTurns,
} from './request-case.ts';
import { encodeUtf16, maxDepth, renderBody } from './request.ts';

/** Whether a content is no JSON text in UTF-8 (RFC 8259 §8.1), whatever the keys in it. */
export function isMalformed(body: Body): boolean {
  // A digit: where a key is a text, its slot is a whole token and any other token will do.
  const text = decodeUtf8(renderBody(body, () => '7'));
  return text === undefined || !isJson(text, maxDepth);
}

/** One way to break a JSON text, given its tokens. */
export type Breakage = (tokens: Body) => Body;

const mostExamples = 60;

/** Plain bodies broken in one way each, the plainest first; what is still JSON afterwards is left out. Only the first is made at once. */
export function malformedCases(
  body: PlainBody,
  breakages: (tokens: Body) => readonly Breakage[],
): Cases<Body> {
  const tokens = plainTokens(body);
  const ways = breakages(tokens);
  const begun = ways.findIndex((breakage) => isMalformed(breakage(tokens)));
  const way = ways[begun];
  if (way === undefined) return noCases;
  const broken = (breakage: Breakage | undefined, plain: Body): Body | undefined => {
    const made = breakage && joinParts(breakage(plain));
    return made !== undefined && isMalformed(made) ? made : undefined;
  };
  function makeExamples(): readonly Body[] {
    const distinct = new Map<string, Body>();
    for (let index = begun; index < ways.length && distinct.size < mostExamples; index += 1) {
      const example = broken(ways[index], tokens);
      if (example !== undefined) distinct.set(JSON.stringify(example), example);
    }
    return [...distinct.values()];
  }
  const arbitrary = fc.tuple(body.arbitrary, fc.constantFrom(...ways)).map(([value, breakage]) => {
    const plain = plainTokens(body, value);
    return broken(breakage, plain) ?? broken(breakage, tokens) ?? broken(way, tokens) ?? [];
  });
  return lateExamples({ first: joinParts(way(tokens)), mostExamples, makeExamples, arbitrary });
}

/** Sequences that are no UTF-8 (RFC 3629 §3), each within a text. */
const sequences: readonly (readonly number[])[] = [
  // A character of ISO 8859-1.
  [0xe9],
  [0xff],
  // A continuation byte alone.
  [0x80],
  // A sequence that ends too early.
  [0xe2, 0x82],
  // Overlong forms of "/" and of NUL.
  [0xc0, 0xaf],
  [0xc0, 0x80],
  // A surrogate of its own, and a pair (CESU-8).
  [0xed, 0xa0, 0x80],
  [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
  // Past U+10FFFF.
  [0xf4, 0x90, 0x80, 0x80],
  [0xfe, 0xfe, 0xff, 0xff],
];

/** Puts bytes into the first text that is no key, or else in front of everything. */
function insert(bytes: readonly number[]): Breakage {
  return (tokens) => {
    const piece = Uint8Array.from(bytes);
    const index = tokens.findIndex((token, place) => isText(token) && tokens[place + 1] !== ':');
    const token = tokens[index];
    return isText(token) ? tokens.toSpliced(index, 1, token.slice(0, -1), piece, '"') : [piece, ...tokens];
  };
}

/** The whole text in another encoding, its key too. */
function inUtf16(encoding: 'utf-16le' | 'utf-16be', mark: '' | '\uFEFF'): Breakage {
  return (tokens) =>
    joinParts([mark, ...tokens]).map((token) => {
      if (typeof token === 'string') return encodeUtf16(token, encoding);
      return token instanceof Uint8Array ? token : { ...token, encoding };
    });
}

/** Plain bodies with bytes in them that are no UTF-8, and in UTF-16. */
export function brokenBytes(body: PlainBody): Cases<Body> {
  return malformedCases(body, () => [
    ...sequences.map(insert),
    (tokens) => [...tokens, Uint8Array.of(0xff)],
    (tokens) => [Uint8Array.of(0xff), ...tokens],
    inUtf16('utf-16le', '\uFEFF'),
    inUtf16('utf-16be', '\uFEFF'),
    inUtf16('utf-16le', ''),
  ]);
}

function splice(index: number, removed: number, added: Body = []): Breakage {
  return (tokens) => tokens.toSpliced(index, removed, ...added);
}

function breakagesAt(token: Body[number], index: number): readonly Breakage[] {
  const gone = splice(index, 1);
  if (typeof token !== 'string') {
    // The place of a key: the ways in which a number is written that JSON does not know (RFC 8259 §6).
    return [
      [],
      ['0', token],
      ['+', token],
      [token, '.'],
      ['.', token],
      ['0x', token],
      [token, 'e'],
      [token, 'n'],
    ].map((text) => splice(index, 1, text));
  }
  if (token.startsWith('"')) {
    const escapes = [String.raw`"\x41"`, String.raw`"\u00g0"`, String.raw`"\u12"`, String.raw`"\'"`];
    return [
      gone,
      splice(index, 1, [token.slice(1)]),
      splice(index, 1, [token.slice(0, -1)]),
      ...escapes.map((text) => splice(index, 1, [text])),
    ];
  }
  if (/^[\d-]/u.test(token)) {
    return [`0${token}`, `+${token}`, `${token}.`, `.${token}`, `0x${token}`].map((text) =>
      splice(index, 1, [text]),
    );
  }
  const doubled = splice(index, 0, [token]);
  const others =
    { '{': ['[', '('], '}': [']', ')'], '[': ['{', '('], ']': ['}', ')'], ':': ['=', ' '], ',': [';', ' '] }[
      token
    ] ?? [];
  return [gone, doubled, ...others.map((other) => splice(index, 1, [other]))];
}

/** Plain bodies with one token missing, doubled, or written in a way that JSON does not know. */
export function brokenStructures(body: PlainBody): Cases<Body> {
  // Every token missing comes before anything else that can become of it.
  return malformedCases(body, (tokens) => takeTurns(tokens.map(breakagesAt)));
}

const texts: readonly string[] = [
  'hello',
  '{',
  '',
  ' ',
  '\n',
  '}',
  '[',
  '"',
  '<xml/>',
  '<html><body>text</body></html>',
  'a=1&b=2',
  'name: text',
  ...'undefined nul True {] [} {{}} {"a"} {"a":} {:1} {,} [,] 01 +1 1. .5 0x10 1e - --1'.split(' '),
  '1 2',
  '"unterminated',
  String.raw`"\x41"`,
  String.raw`"\u12"`,
  String.raw`"\"`,
  '"tab\tin a text"',
  '\u0000',
  '\u00a0{}',
  '// comment',
  '[object Object]',
  '%7B%7D',
  'e30=',
];

/** Contents that are no JSON, nor ever were. */
export function notJsonTexts(): Cases<Body> {
  const random = fc
    .string({ unit: fc.constantFrom(...'{}[]":,\\abn01 -.e'), maxLength: 20 })
    .map((text) => (isMalformed([text]) ? joinParts([text]) : joinParts([`${text}{`])));
  return { examples: texts.map((text) => joinParts([text])), arbitrary: random };
}

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
  const index = tokens.findIndex(isKeySlot);
  const isLater = index > 3 && tokens[0] === '{' && tokens[index - 1] === ':';
  return isLater
    ? ['{', ...tokens.slice(index - 2, index + 1), ',', ...tokens.toSpliced(index - 3, 4).slice(1)]
    : tokens;
}

/** Plain bodies that end too early: at each token and within it, the last first. The first ones still hold their key. */
export function truncatedTexts(body: PlainBody): Cases<Body> {
  return malformedCases(body, (tokens) => [
    cutBefore(1),
    (keyed) => cutInside(2)(keyFirst(keyed)),
    () => [],
    ...[...tokens.keys()].flatMap((index) => [cutInside(index + 1), cutBefore(index + 1)]),
  ]);
}
