import { expect, test } from 'vitest';
import { forecast } from './forecast.ts';

test('says after ten seconds how long a run of slow responses will take', () => {
  const progress = { startedAt: 500, now: 10_500, requests: 250, most: 9_600 };
  expect(forecast(progress)).toBe(
    '250 of up to 9,600 requests in 10 s: up to 7 min more. --max-time 60 ends the run after a minute, --runs 10 sends fewer cases.',
  );
  expect(forecast({ ...progress, most: 250_000 })).toContain('up to 2 h 47 min more');
});

test('says nothing early, or if the run is half over', () => {
  expect(forecast({ startedAt: 0, now: 9_999, requests: 250, most: 9_600 })).toBeUndefined();
  expect(forecast({ startedAt: 0, now: 12_000, requests: 5_000, most: 9_600 })).toBeUndefined();
});
