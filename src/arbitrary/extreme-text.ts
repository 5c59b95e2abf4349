import fc, { type Arbitrary } from 'fast-check';

const controls = [
  '\u0000',
  '\u0001',
  '\b',
  '\t',
  '\n',
  '\r',
  '\u001b',
  '\u001f',
  '\u007f',
  '\u0085',
  '\u2028',
];
const spaces = [' ', '\t', '\n', '\u00a0', '\u2003'];
const marks = [
  '"',
  '\\',
  '/',
  "'",
  '<',
  '>',
  '&',
  '%',
  '$',
  '{',
  '}',
  '\u0301',
  '\u200d',
  '\u202e',
  'a',
  'A',
];

/** Past 64 KiB, where buffers and columns end. */
const longest = 70_000;

/** Where the surrogates stand, which are no characters. */
const surrogates = { first: 0xd800, count: 0x800 };
const characters = 0x11_0000 - surrogates.count;

/** Any character of Unicode; fast-check's own unit for it takes most of a second to make. It shrinks to `a`. */
function anyCharacter(): Arbitrary<string> {
  const numbers = fc.oneof(
    fc.integer({ min: 0, max: 0xff }),
    fc.integer({ min: 0, max: 0xffff }),
    fc.integer({ min: 0, max: characters - 1 }),
  );
  return numbers.map((number) => {
    const place = (number + 0x61) % characters;
    return String.fromCodePoint(place < surrogates.first ? place : place + surrogates.count);
  });
}

/**
 * Texts that few would send, every plane of Unicode in them: controls, combining marks, right-to-left,
 * padding, numbers, great length. They shrink to short texts of letters.
 */
export function extremeText(): Arbitrary<string> {
  const padded = fc
    .tuple(fc.constantFrom(...spaces), fc.string({ unit: 'grapheme-ascii' }), fc.constantFrom('', ...spaces))
    .map(([before, text, after]) => before + text + after);
  const repeated = fc
    .tuple(fc.constantFrom('a', 'é', '😀'), fc.nat(longest))
    // Bytes of UTF-8 are what a limit counts.
    .map(([character, bytes]) => character.repeat(bytes / new TextEncoder().encode(character).length));
  return fc.oneof(
    { arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 40 }), weight: 2 },
    { arbitrary: fc.string({ unit: 'grapheme-composite', maxLength: 40 }), weight: 4 },
    { arbitrary: fc.string({ unit: anyCharacter(), maxLength: 40 }), weight: 6 },
    { arbitrary: fc.string({ unit: fc.constantFrom(...controls, ...marks), maxLength: 20 }), weight: 4 },
    { arbitrary: padded, weight: 3 },
    { arbitrary: fc.oneof(fc.integer(), fc.double({ noNaN: true })).map(String), weight: 2 },
    { arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 40, maxLength: 2000 }), weight: 2 },
    { arbitrary: repeated, weight: 1 },
  );
}
