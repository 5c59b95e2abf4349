import { expect, test, vi } from 'vitest';
import { createEventLoopYield, createMockClock } from './clock.ts';
import { createMock } from './create-mock.ts';

test('others have a turn after so many, and not before', async () => {
  const yieldToEventLoop = createEventLoopYield(3);
  let mutex = 0;
  setImmediate(() => {
    mutex += 1;
  });
  expect([yieldToEventLoop(), yieldToEventLoop()]).toEqual([undefined, undefined]);
  await Promise.resolve();
  expect(mutex).toBe(0);
  await yieldToEventLoop();
  await yieldToEventLoop();
  await yieldToEventLoop();
  await yieldToEventLoop();
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

test('the Date of each response is its time, without a port and over one', async () => {
  const mock = await createMock();
  const { url } = await mock.listen();
  mock.clock.set(Date.parse('2031-02-03T04:05:06Z'));
  mock.clock.freeze(true);
  for (const response of [await mock.fetch('http://mock/plants'), await fetch(`${url}/plants`)]) {
    expect(response.headers.get('date')).toBe('Mon, 03 Feb 2031 04:05:06 GMT');
  }
  mock.clock.reset();
  const { headers } = await fetch(`${url}/plants`);
  expect(Math.abs(Date.parse(headers.get('date') ?? '') - Date.now())).toBeLessThan(60_000);
  await mock.close();
});
