import { expect, test } from 'vitest';
import type { RequestCase } from '../arbitrary/request-case.ts';
import { createSentTexts, type SentRequest } from './memory.ts';

function sent(operationId: string, text: string): SentRequest {
  const request: RequestCase = {
    operationId,
    method: 'POST',
    target: '/orders',
    headers: [],
    credentials: { kind: 'good' },
    body: [text],
    framing: 'content-length',
  };
  const body = new TextEncoder().encode(text);
  return { request, keys: { serial: () => 1 }, body, from: 0, to: Infinity };
}

test('finds the texts of requests that are under way, and of those that were answered', () => {
  const texts = createSentTexts();
  const one = sent('createOrder', '{"name":"kWqzRt"}');
  texts.leave(one);
  expect(texts.find('createOrder', 'kWqzRt')).toBe(one);
  expect(texts.find('createOrder', 'kWqz')).toBeUndefined();
  expect(one.to).toBe(Infinity);
  texts.arrive(one, []);
  expect(texts.find('createOrder', 'kWqzRt')).toBeUndefined();
  texts.leave(one);
  texts.arrive(one, ['kWqzRt']);
  expect(texts.find('createOrder', 'kWqzRt')).toBe(one);
  expect(one.to).toBeLessThan(Infinity);
});

test('keeps the texts of operations apart', () => {
  const texts = createSentTexts();
  const one = sent('createOrder', '{"name":"kWqzRt"}');
  texts.leave(one);
  expect(texts.find('createBill', 'kWqzRt')).toBeUndefined();
  texts.arrive(one, ['kWqzRt']);
  expect(texts.find('createBill', 'kWqzRt')).toBeUndefined();
});

test('forgets the oldest texts of a long run', () => {
  const texts = createSentTexts();
  for (let index = 0; index < 5_000; index += 1) {
    const one = sent('createOrder', '');
    texts.leave(one);
    texts.arrive(one, [`text${index}`]);
  }
  expect(texts.find('createOrder', 'text0')).toBeUndefined();
  expect(texts.find('createOrder', 'text4999')).toBeDefined();
});
