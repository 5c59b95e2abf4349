import { expect, test } from 'vitest';
import type { CheckedExchange } from '../check/classify/subject.ts';
import { LatencyRecorder, OperationLatencies } from './latency.ts';

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

test('summarizes the times of each operation, the slowest first, without streams and failures', () => {
  const latencies = new OperationLatencies();
  const read = (id: string, durationMs: number, more: object = {}): void => {
    const response = { status: 200, headers: [], body: new Uint8Array(), ...more };
    // `as`: nothing else of an exchange is read.
    latencies.read({
      operation: { id },
      exchange: { answer: { kind: 'response', response }, durationMs, ...more },
    } as unknown as CheckedExchange);
  };
  for (let ms = 1; ms <= 100; ms += 1) read('fast', ms);
  read('slow', 500);
  read('slow', 9_000, { serviceMs: 700 });
  read('stream', 9_000, { headers: [['Content-Type', 'text/event-stream']] });
  read('none', 9_000, { answer: { kind: 'timed-out' } });
  const { limitMs, operations } = latencies.conclude(250);
  expect(limitMs).toBe(250);
  expect(operations).toMatchObject([
    { operation: 'slow', responses: 2, max: 700 },
    { operation: 'fast', responses: 100, max: 100 },
  ]);
  expect(operations[1]?.p50).toBeCloseTo(50, -1);
  expect(String(operations[1]?.p50)).toMatch(/^\d+(?:\.\d{1,2})?$/u);
});

test('merges the times of shards as if one run had recorded them', () => {
  const [whole, ...parts] = [new OperationLatencies(), new OperationLatencies(), new OperationLatencies()];
  for (let ms = 1; ms <= 1_000; ms += 1) {
    const response = { status: 200, headers: [], body: new Uint8Array() };
    const exchange = { answer: { kind: 'response', response }, durationMs: ms };
    // `as`: nothing else of an exchange is read.
    const judged = { operation: { id: `o${ms % 2}` }, exchange } as unknown as CheckedExchange;
    for (const latencies of [whole, parts[ms % 3 === 0 ? 0 : 1]]) latencies?.read(judged);
  }
  const merged = new OperationLatencies();
  for (const part of parts) merged.merge(part.conclude(undefined));
  expect(merged.conclude(250)).toEqual(whole?.conclude(250));
});
