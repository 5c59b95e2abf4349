import { expect, test } from 'vitest';
import { renderDuration } from './markup.ts';
import { LatencyRecorder } from './model.ts';

test('knows the longest exactly and what lies before it within two per cent', () => {
  const latency = new LatencyRecorder();
  for (let ms = 1; ms <= 1_000; ms += 1) {
    latency.add(ms);
  }
  expect([latency.count, latency.longest]).toEqual([1_000, 1_000]);
  for (const share of [0.01, 0.5, 0.95, 0.99]) {
    expect(Math.abs(latency.quantile(share) / (share * 1_000) - 1)).toBeLessThan(0.02);
  }
  expect(latency.quantile(1)).toBeLessThanOrEqual(1_000);
});

test('holds no more for a million times than the bins that they fall into', () => {
  const latency = new LatencyRecorder();
  for (let index = 0; index < 1_000_000; index += 1) {
    latency.add(0.001 * 10 ** (8 * (index / 1_000_000)));
  }
  expect(latency.size).toBeLessThan(1_000);
});

test('takes what no clock can tell for the shortest time', () => {
  const latency = new LatencyRecorder();
  latency.add(0);
  expect(latency.size).toBe(1);
  expect(latency.quantile(0.5)).toBe(0);
});

test('is empty at first', () => {
  const latency = new LatencyRecorder();
  expect([latency.count, latency.longest, latency.size, latency.quantile(0.5)]).toEqual([0, 0, 0, 0]);
});

test.each([
  [0.0004, '0.0004 ms'],
  [0.41567, '0.416 ms'],
  [12.345, '12.3 ms'],
  [999.4, '999 ms'],
  [999.7, '1 s'],
  [1_234.5, '1.23 s'],
  [119_900, '120 s'],
  [125_000, '2 min 5 s'],
])('says %d ms as %s', (ms, words) => {
  expect(renderDuration(ms)).toBe(words);
});
