import { stringifyJson } from '../json/stringify-json.ts';
import type { Body } from './body.ts';
import type { Cases } from './cases.ts';
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

function utf16(text: string, order: 'little' | 'big'): Uint8Array {
  const units = [0xfeff, ...[...Array(text.length).keys()].map((index) => text.charCodeAt(index))];
  return Uint8Array.from(
    units.flatMap((unit) => (order === 'little' ? [unit & 0xff, unit >> 8] : [unit >> 8, unit & 0xff])),
  );
}

/** Plain bodies with bytes in them that are no UTF-8, and in UTF-16. */
export function brokenBytes(body: PlainBody): Cases<Body> {
  const text = stringifyJson(body.fullest);
  return malformedCases(body, () => [
    ...sequences.map((bytes) => insert(bytes)),
    (tokens) => [...tokens, Uint8Array.of(0xff)],
    (tokens) => [Uint8Array.of(0xff), ...tokens],
    // A key cannot be drawn in UTF-16; whoever reads the body meets the same one again.
    () => [utf16(text, 'little')],
    () => [utf16(text, 'big')],
  ]);
}
