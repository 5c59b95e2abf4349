import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createTextStyle,
  escapeControls,
  escapeInStrings,
  escapeLine,
  toConsoleLine,
  withoutTextStyle,
} from './console-text.ts';

const anything = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'\n\r\t\u001B[31m;#:: \u009B\u2028\u202E\\"[v'),
    fc.string({ unit: 'binary', size: 'small' }),
  ),
});

test('names what a terminal obeys, and leaves other texts as they are', () => {
  expect(escapeControls('a\r\n\u001B[2J\u009B\u202E')).toBe(String.raw`a\u{d}\u{a}\u{1b}[2J\u{9b}\u{202e}`);
  expect(escapeControls('naïve 日本 👩‍👩‍👧 “x” \\u{1b}')).toBe('naïve 日本 👩‍👩‍👧 “x” \\u{1b}');
});

test.each([
  ['::error::x', String.raw`\u{3a}:error::x`],
  ['  ::error::x', String.raw`  \u{3a}:error::x`],
  ['a ::error::x', 'a ::error::x'],
  ['a ##[error]x', String.raw`a \u{23}#[error]x`],
  ['###[a] ##vso[b] ## c', String.raw`#\u{23}#[a] \u{23}#vso[b] ## c`],
])('leaves nothing in a line that a CI server obeys: %s', (line, escaped) => {
  expect(escapeLine(line)).toBe(escaped);
});

test('escapes a line once and for all, whatever it holds', () => {
  fc.assert(
    fc.property(anything, (text) => {
      const line = escapeLine(text);
      expect(line).not.toMatch(/\p{Cc}|\p{Zl}|\p{Zp}|^\s*::|##\w*\[/u);
      expect(escapeLine(line)).toBe(line);
    }),
  );
});

test('says the same in JSON', () => {
  fc.assert(
    fc.property(anything, (text) => {
      const written = escapeInStrings(JSON.stringify({ [text]: [text] }, undefined, 2));
      expect(JSON.parse(written)).toEqual({ [text]: [text] });
      expect(written.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Zl}|\p{Zp}|##\w*\[/u);
    }),
  );
});

test('shows tones as codes of a terminal, and no code that is not its own', () => {
  const paint = createTextStyle(true);
  const line = `${paint('strong', 'a \u001B[31m')} ${paint('faint', paint('good', 'b'))}`;
  expect(toConsoleLine(line, true)).toBe(
    '\u001B[1ma \\u{1b}[31m\u001B[22m \u001B[2m\u001B[32mb\u001B[39m\u001B[22m',
  );
  expect(withoutTextStyle(line)).toBe('a \u001B[31m b');
});

test('shows none where nobody sees colours, not even marks that are part of the text', () => {
  const line = `${createTextStyle(false)('violation', 'a')} \uFDD0b\uFDEF`;
  expect(toConsoleLine(line, false)).toBe('a \\u{fdd0}b\uFDEF');
});

test('takes a command for one behind colours too', () => {
  expect(toConsoleLine(createTextStyle(true)('strong', '::error::x'), true)).toBe(
    '\u001B[1m\\u{3a}:error::x\u001B[22m',
  );
});
