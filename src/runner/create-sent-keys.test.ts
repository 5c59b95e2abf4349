import { expect, test } from 'vitest';
import { createSentKeys } from './memory.ts';

test('knows a key again, and forgets it when many others were sent since', () => {
  const keys = createSentKeys();
  expect(keys.has('/things 1')).toBe(false);
  keys.add('/things 1');
  for (let key = 2; key <= 20_000; key += 1) {
    keys.add(`/things ${key}`);
  }
  expect(keys.has('/things 1')).toBe(true);
  for (let key = 20_001; key <= 40_000; key += 1) {
    keys.add(`/things ${key}`);
  }
  expect([keys.has('/things 1'), keys.has('/things 20001'), keys.has('/things 40000')]).toEqual([
    false,
    true,
    true,
  ]);
});
