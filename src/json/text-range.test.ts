import { expect, test } from 'vitest';
import { cutAtMarks, orderRanges } from './text-range.ts';

test('puts ranges in order, without overlaps and within the text', () => {
  const ranges = [
    { start: 4, end: 9 },
    { start: 0, end: 2 },
    { start: 1, end: 3 },
    { start: 6, end: 6 },
  ];
  expect(orderRanges('abcdef', ranges)).toEqual([
    { start: 0, end: 2 },
    { start: 2, end: 3 },
    { start: 4, end: 6 },
    { start: 6, end: 6 },
  ]);
});

test('cuts a stretch of a text at marks, and leaves marks outside of it out', () => {
  const marks = [
    { start: 0, end: 1 },
    { start: 2, end: 4 },
    { start: 5, end: 5 },
    { start: 8, end: 9 },
  ];
  expect(cutAtMarks('abcdefghij', { start: 1, end: 7 }, marks)).toEqual([
    { text: 'b' },
    { text: 'cd', mark: 'text' },
    { text: 'e' },
    { text: '', mark: 'gap' },
    { text: 'fg' },
  ]);
});
