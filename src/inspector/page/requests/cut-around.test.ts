import { expect, test } from 'vitest';
import { cutAround } from './details.tsx';

test('keeps a short text whole', () => {
  expect(cutAround('x'.repeat(4_000), [])).toEqual([{ start: 0, end: 4_000 }]);
});

test('keeps the start of a long text, and what is around its first mark', () => {
  const text = 'x'.repeat(65_536);
  expect(cutAround(text, [])).toEqual([{ start: 0, end: 2_000 }]);
  expect(cutAround(text, [{ start: 30_000, end: 30_005 }])).toEqual([
    { start: 0, end: 2_000 },
    { start: 29_000, end: 31_000 },
  ]);
  expect(cutAround(text, [{ start: 2_500, end: 2_505 }])).toEqual([{ start: 0, end: 3_500 }]);
});

test('cuts no pair of surrogates in two', () => {
  expect(cutAround('x' + '🌱'.repeat(3_000), [])).toEqual([{ start: 0, end: 1_999 }]);
});
