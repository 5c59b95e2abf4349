import { expect, test } from 'vitest';
import type { Answer } from '../http/answer.ts';
import type { HeaderList } from '../http/header-list.ts';
import { sendPolitely } from './send-politely.ts';

const request = { method: 'GET', target: '/', headers: [], body: undefined };

function answer(status: number, headers: HeaderList = []): Answer {
  return { kind: 'response', response: { status, headers, body: new Uint8Array() } };
}

function politely(answers: Answer[], rateWaitMs = 10_000) {
  const waits: [number, number][] = [];
  let sent = 0;
  const send = sendPolitely(
    () => {
      sent += 1;
      return Promise.resolve(answers.shift() ?? answer(200));
    },
    { target: 'a service', rate: undefined, rateWaitMs, onWait: (status, ms) => waits.push([status, ms]) },
  );
  return { send, waits, sent: () => sent };
}

test('sends again at once what Retry-After puts off by nothing', async () => {
  const { send, waits, sent } = politely([
    answer(429, [['Retry-After', '0']]),
    answer(503, [['retry-after', '0']]),
  ]);
  expect(await send(request)).toEqual(answer(200));
  expect(sent()).toBe(3);
  expect(waits).toEqual([]);
});

test('backs off where the service names no time', async () => {
  const { send, waits } = politely([answer(503), answer(503)]);
  await send(request);
  expect(waits).toEqual([
    [503, 250],
    [503, 500],
  ]);
});

test('cannot judge a service that never stops putting requests off', async () => {
  const { send } = politely(
    Array.from({ length: 9 }, () => answer(429, [['Retry-After', '2']])),
    1_000,
  );
  await expect(send(request)).rejects.toThrow(
    'Failed to judge "a service": it still answers 429 after 0 s of waiting. Slow the run down with --rate, or wait longer with --rate-wait.',
  );
});

test('hands any other answer over as it came', async () => {
  const { send, waits } = politely([answer(500)]);
  expect(await send(request)).toEqual(answer(500));
  expect(waits).toEqual([]);
});
