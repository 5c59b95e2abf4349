import fc, { type Arbitrary } from 'fast-check';

const controls = ['\u0000', '\u0001', '\b', '\t', '\n', '\r', '\u001b', '\u001f', '\u007f', '\u0085', '\u2028'];
const spaces = [' ', '\t', '\n', '\u00a0', '\u2003'];
const marks = ['"', '\\', '/', "'", '<', '>', '&', '%', '$', '{', '}', '\u0301', '\u200d', '\u202e', 'a', 'A'];

/** Past 64 KiB, where buffers and columns end. */
const longest = 70_000;

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
    { arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }), weight: 4 },
    { arbitrary: fc.string({ unit: 'binary', maxLength: 40 }), weight: 6 },
    { arbitrary: fc.string({ unit: fc.constantFrom(...controls, ...marks), maxLength: 20 }), weight: 4 },
    { arbitrary: padded, weight: 3 },
    { arbitrary: fc.oneof(fc.integer(), fc.double({ noNaN: true })).map(String), weight: 2 },
    { arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 40, maxLength: 2000 }), weight: 2 },
    { arbitrary: repeated, weight: 1 },
  );
}
