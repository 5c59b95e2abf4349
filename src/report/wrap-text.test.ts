import { expect, test } from 'vitest';
import { createPaint } from '../errors/console-text.ts';
import { wrapText } from './text/format.ts';

test('breaks a line between words, and puts what follows in', () => {
  expect(wrapText('  expected  one of 200, 400 for a body', { width: 22, indent: 12 })).toEqual([
    '  expected  one of',
    '            200, 400',
    '            for a body',
  ]);
});

test('leaves a word that is longer than the line whole', () => {
  expect(wrapText('see https://example.org/a/long/way now', { width: 10, indent: 2 })).toEqual([
    'see',
    '  https://example.org/a/long/way',
    '  now',
  ]);
});

test('leaves a line as it is where there are no columns to fit', () => {
  expect(wrapText('a b c', { width: undefined, indent: 2 })).toEqual(['a b c']);
});

test('does not count the marks of a terminal', () => {
  const line = `${createPaint(true)('strong', 'one')} two`;
  expect(wrapText(line, { width: 7, indent: 2 })).toEqual([line]);
});
