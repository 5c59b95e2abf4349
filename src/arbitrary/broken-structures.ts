import type { Body } from './body.ts';
import type { Cases } from './cases.ts';
import { type Breakage, malformedCases } from './malformed-cases.ts';
import type { PlainBody } from './plain-body.ts';

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
  return malformedCases(body, (tokens) => {
    const byToken = tokens.map((token, index) => breakagesAt(token, index));
    const rounds = Math.max(0, ...byToken.map((list) => list.length));
    // Every token missing comes before anything else that can become of it.
    return [...Array(rounds).keys()].flatMap((round) =>
      byToken.map((list) => list[round]).filter((breakage) => breakage !== undefined),
    );
  });
}
