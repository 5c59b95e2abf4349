import fc from 'fast-check';
import { decodeUtf8 } from '../http/bytes.ts';
import { isJson } from '../json/parse.ts';
import { stringifyJson } from '../json/print.ts';
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

/** Returns whether content is not JSON text in UTF-8 (RFC 8259 §8.1), regardless of its ids. */
export function isMalformed(body: Body): boolean {
  // A digit fits everywhere: the placeholder of a textual id is a whole token, and any other token works there.
  const text = decodeUtf8(renderBody(body, () => '7'));
  return text === undefined || !isJson(text, maxDepth);
}

/** One way to break a JSON text, given its tokens. */
export type Breakage = (tokens: Body) => Body;

const mostExamples = 60;

/** Returns bodies broken in one way each, plainest first, without valid JSON. Only the first is created immediately. */
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

/** Byte sequences that are not UTF-8 (RFC 3629 §3), to put into a text. */
const sequences: readonly (readonly number[])[] = [
  // A character of ISO 8859-1.
  [0xe9],
  [0xff],
  // A lone continuation byte.
  [0x80],
  // A sequence that ends too early.
  [0xe2, 0x82],
  // Overlong forms of "/" and of NUL.
  [0xc0, 0xaf],
  [0xc0, 0x80],
  // A lone surrogate, and a pair (CESU-8).
  [0xed, 0xa0, 0x80],
  [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
  // Past U+10FFFF.
  [0xf4, 0x90, 0x80, 0x80],
  [0xfe, 0xfe, 0xff, 0xff],
];

/** Inserts bytes into the first text that is not a key, or else at the start. */
function insert(bytes: readonly number[]): Breakage {
  return (tokens) => {
    const piece = Uint8Array.from(bytes);
    const index = tokens.findIndex((token, place) => isText(token) && tokens[place + 1] !== ':');
    const token = tokens[index];
    return isText(token) ? tokens.toSpliced(index, 1, token.slice(0, -1), piece, '"') : [piece, ...tokens];
  };
}

/** Encodes the whole text, including its id. */
function inUtf16(encoding: 'utf-16le' | 'utf-16be', mark: '' | '\uFEFF'): Breakage {
  return (tokens) =>
    joinParts([mark, ...tokens]).map((token) => {
      if (typeof token === 'string') return encodeUtf16(token, encoding);
      return token instanceof Uint8Array ? token : { ...token, encoding };
    });
}

/** Returns plain bodies with bytes that are not UTF-8, and in UTF-16. */
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

/** Returns bodies in a notation other than JSON that no parser of it can read: cut, with characters less, and as JSON. */
export function brokenNotation(body: PlainBody): Cases<Body> {
  const { notation, fullest } = body;
  if (notation === undefined) return noCases;
  const text = new TextDecoder().decode(notation.write(fullest)).trimEnd();
  const cuts = [1, 0.75, 0.5, 0.25].map((part) => text.slice(0, Math.ceil(text.length * part) - 1));
  const less = ['>', '"', '/', '}', '{', ':'].map((mark) => text.replace(mark, ''));
  const encoder = new TextEncoder();
  const broken = [...cuts, ...less, `${text}<`, stringifyJson(fullest)].filter(
    (each) => each !== '' && notation.isMalformed(encoder.encode(each)),
  );
  return { examples: [...new Set(broken)].map((each): Body => [each]), arbitrary: undefined };
}

function splice(index: number, removed: number, added: Body = []): Breakage {
  return (tokens) => tokens.toSpliced(index, removed, ...added);
}

function breakagesAt(token: Body[number], index: number): readonly Breakage[] {
  const gone = splice(index, 1);
  if (typeof token !== 'string') {
    // The placeholder of an id: number notations that JSON does not allow (RFC 8259 §6).
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

/** Returns plain bodies with one token missing, doubled, or in a notation that JSON does not allow. */
export function brokenStructures(body: PlainBody): Cases<Body> {
  // Removals of every token come before other changes.
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

/** Returns contents that are not derived from JSON. */
export function notJsonTexts(): Cases<Body> {
  const random = fc
    .string({ unit: fc.constantFrom(...'{}[]":,\\abn01 -.e'), maxLength: 20 })
    .map((text) => (isMalformed([text]) ? joinParts([text]) : joinParts([`${text}{`])));
  return { examples: texts.map((text) => joinParts([text])), arbitrary: random };
}

/** Cuts the text before a token, counted from the end. */
function cutBefore(fromEnd: number): Breakage {
  return (tokens) => tokens.slice(0, Math.max(0, tokens.length - fromEnd));
}

/** Cuts the text inside a token, counted from the end. */
function cutInside(fromEnd: number): Breakage {
  return (tokens) => {
    const index = Math.max(0, tokens.length - fromEnd);
    const token = tokens[index];
    const half = typeof token === 'string' ? token.slice(0, Math.ceil(token.length / 2)) : '';
    return [...tokens.slice(0, index), half];
  };
}

/** Moves the id to the front, to keep it when the end of the text is cut off. */
function keyFirst(tokens: Body): Body {
  const index = tokens.findIndex(isKeySlot);
  const isLater = index > 3 && tokens[0] === '{' && tokens[index - 1] === ':';
  return isLater
    ? ['{', ...tokens.slice(index - 2, index + 1), ',', ...tokens.toSpliced(index - 3, 4).slice(1)]
    : tokens;
}

/** Returns truncated plain bodies, cut at and within each token, the last first. The first ones contain their id. */
export function truncatedTexts(body: PlainBody): Cases<Body> {
  return malformedCases(body, (tokens) => [
    cutBefore(1),
    (keyed) => cutInside(2)(keyFirst(keyed)),
    () => [],
    ...[...tokens.keys()].flatMap((index) => [cutInside(index + 1), cutBefore(index + 1)]),
  ]);
}
