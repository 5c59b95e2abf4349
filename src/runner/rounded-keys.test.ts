import { expect, test } from 'vitest';
import { ExactNumber } from '../json/exact-number.ts';
import { roundedKeys } from './memory.ts';

test('gives keys that a double cannot tell apart one text in common', () => {
  const [one, other] = ['9007199254740993', '9007199254740992'].map((text) =>
    roundedKeys(new ExactNumber(text)),
  );
  expect(one?.[0]).toBe(other?.[0]);
  expect(one?.[1]).not.toBe(other?.[1]);
});

test('gives keys that 32 bits cannot tell apart one text in common', () => {
  const [one, other] = [7, 7 + 2 ** 32].map((key) => roundedKeys(key));
  expect(one?.[0]).not.toBe(other?.[0]);
  expect(one?.[1]).toBe(other?.[1]);
});

test.each(['1.5', '1e400'])('gives none for %s, which is the key of nothing', (text) => {
  expect(roundedKeys(new ExactNumber(text))).toEqual([]);
});
