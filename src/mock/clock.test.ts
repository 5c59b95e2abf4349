import { expect, test, vi } from 'vitest';
import { createEventLoopYield, createMockClock } from './clock.ts';

test('others have a turn after so many, and not before', async () => {
  const breathe = createEventLoopYield(3);
  let mutex = 0;
  setImmediate(() => {
    mutex += 1;
  });
  expect([breathe(), breathe()]).toEqual([undefined, undefined]);
  await Promise.resolve();
  expect(mutex).toBe(0);
  await breathe();
  await breathe();
  await breathe();
  await breathe();
  expect(mutex).toBe(1);
});

test('timers that a test has stopped do not stop it', async () => {
  vi.useFakeTimers();
  try {
    await expect(createEventLoopYield(1)()).resolves.toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

test('goes as its source does until it is set, and on from there', () => {
  let time = 1_000;
  const clock = createMockClock(() => time);
  expect(clock.now()).toBe(1_000);
  clock.set(5_000);
  time = 1_250;
  expect(clock.now()).toBe(5_250);
  clock.advance(750);
  expect(clock.now()).toBe(6_000);
  clock.reset();
  expect(clock.now()).toBe(1_250);
});

test('stands still while it is frozen, and goes on from where it stood', () => {
  let time = 1_000;
  const clock = createMockClock(() => time);
  clock.freeze(true);
  time = 9_000;
  expect([clock.now(), clock.isFrozen]).toEqual([1_000, true]);
  clock.advance(500);
  expect(clock.now()).toBe(1_500);
  clock.freeze(false);
  time = 9_100;
  expect([clock.now(), clock.isFrozen]).toEqual([1_600, false]);
});

test('refuses a time that no Date can hold, and stays as it was', () => {
  const clock = createMockClock(() => 7);
  expect(() => clock.set(Number.NaN)).toThrow(
    'Failed to set the clock to "NaN": it is no time that a Date can hold.',
  );
  expect(() => clock.advance(1e300)).toThrow('Give milliseconds since 1970.');
  expect(clock.now()).toBe(7);
});
