import { expect, test, vi } from 'vitest';
import { createBreather } from './clock.ts';

test('others have a turn after so many, and not before', async () => {
  const breathe = createBreather(3);
  let turns = 0;
  setImmediate(() => {
    turns += 1;
  });
  expect([breathe(), breathe()]).toEqual([undefined, undefined]);
  await Promise.resolve();
  expect(turns).toBe(0);
  await breathe();
  await breathe();
  await breathe();
  await breathe();
  expect(turns).toBe(1);
});

test('timers that a test has stopped do not stop it', async () => {
  vi.useFakeTimers();
  try {
    await expect(createBreather(1)()).resolves.toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});
