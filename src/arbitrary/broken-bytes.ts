import type { Body } from './body.ts';
import type { Cases } from './cases.ts';
import { encodeUtf16 } from './encode-utf16.ts';
import { joinParts } from './join-parts.ts';
import { type Breakage, malformedCases } from './malformed-cases.ts';
import type { PlainBody } from './plain-body.ts';

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

function isText(part: Body[number] | undefined): part is string {
  return typeof part === 'string' && part.startsWith('"');
}

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
      if (typeof token === 'string') {
        return encodeUtf16(token, encoding);
      }
      return token instanceof Uint8Array ? token : { ...token, encoding };
    });
}

/** Plain bodies with bytes in them that are no UTF-8, and in UTF-16. */
export function brokenBytes(body: PlainBody): Cases<Body> {
  return malformedCases(body, () => [
    ...sequences.map((bytes) => insert(bytes)),
    (tokens) => [...tokens, Uint8Array.of(0xff)],
    (tokens) => [Uint8Array.of(0xff), ...tokens],
    inUtf16('utf-16le', '\uFEFF'),
    inUtf16('utf-16be', '\uFEFF'),
    inUtf16('utf-16le', ''),
  ]);
}
