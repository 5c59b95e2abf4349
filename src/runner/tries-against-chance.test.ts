import { expect, test } from 'vitest';
import { triesAgainstChance } from './confirm.ts';

const limits = { least: 3, most: 16 };

test('asks for the least where every plain body was taken, or none was sent', () => {
  expect(triesAgainstChance({ sent: 400, accepted: 400 }, limits)).toBe(3);
  expect(triesAgainstChance({ sent: 0, accepted: 0 }, limits)).toBe(3);
});

test('asks for more the more keys a store holds already', () => {
  expect(triesAgainstChance({ sent: 400, accepted: 396 }, limits)).toBe(3);
  expect(triesAgainstChance({ sent: 400, accepted: 280 }, limits)).toBe(10);
  expect(triesAgainstChance({ sent: 400, accepted: 200 }, limits)).toBe(16);
});

test('asks for more while few were sent, though all of them were taken', () => {
  expect(triesAgainstChance({ sent: 1, accepted: 1 }, limits)).toBe(11);
  expect(triesAgainstChance({ sent: 8, accepted: 8 }, limits)).toBe(6);
  expect(triesAgainstChance({ sent: 20, accepted: 20 }, limits)).toBe(3);
});

test('keeps to the most where nothing was taken', () => {
  expect(triesAgainstChance({ sent: 4, accepted: 0 }, limits)).toBe(16);
});
