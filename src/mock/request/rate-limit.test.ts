import { expect, test } from 'vitest';
import { createRateLimiter } from './rate-limit.ts';

test('lets so many requests in within any one second', () => {
  let now = 0;
  const waitFor = createRateLimiter({ perSecond: 2 }, () => now);
  const at = (time: number): number | undefined => {
    now = time;
    return waitFor?.();
  };
  expect([at(0), at(900), at(950)]).toEqual([undefined, undefined, 1]);
  // The first has gone out of the second, the one at 900 has not.
  expect([at(1000), at(1001), at(1899), at(1900)]).toEqual([undefined, 1, 1, undefined]);
});

test('does not count what it put off', () => {
  let now = 0;
  const waitFor = createRateLimiter({ perSecond: 1 }, () => now);
  waitFor?.();
  for (now = 1; now < 1000; now += 1) {
    expect(waitFor?.()).toBe(1);
  }
  expect(waitFor?.()).toBeUndefined();
});
