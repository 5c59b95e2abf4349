import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Answer } from '../../http/message.ts';
import type { Traffic } from '../traffic.ts';
import { createJudgingQueue, Watch } from './record.ts';

function traffic(number: number, parts: Partial<Traffic> = {}): Traffic {
  const answer: Answer = { kind: 'unreachable', reason: '' };
  const request = { method: 'GET', target: '/', headers: [], body: undefined };
  const exchange = { request, answer, durationMs: 1 };
  return {
    number,
    exchange,
    startedAt: 0,
    isBesideChange: false,
    unjudged: undefined,
    ...parts,
  };
}

test('judges later than it is given, in order, and at the end whatever waits', async () => {
  const judged: number[] = [];
  const queue = createJudgingQueue(({ number }) => judged.push(number));
  for (let number = 1; number <= 3; number += 1) {
    queue.add(traffic(number));
  }
  expect(judged).toEqual([]);
  await expect.poll(() => judged).toEqual([1, 2, 3]);
  queue.add(traffic(4));
  queue.flush();
  expect(judged).toEqual([1, 2, 3, 4]);
});

test('takes what is added while it judges', async () => {
  const judged: number[] = [];
  const queue = createJudgingQueue(({ number }) => {
    judged.push(number);
    if (number < 3) {
      queue.add(traffic(number + 1));
    }
  });
  queue.add(traffic(1));
  await expect.poll(() => judged).toEqual([1, 2, 3]);
});

test('takes the content coding off what is judged', () => {
  const judged: Traffic[] = [];
  const queue = createJudgingQueue((one) => judged.push(one));
  const response = {
    status: 200,
    headers: [['Content-Encoding', 'gzip']] as const,
    body: gzipSync('{"a":1}'),
  };
  const trailing = Buffer.from('more');
  const exchange = { ...traffic(1).exchange, answer: { kind: 'response', response, trailing } as const };
  queue.add(traffic(1, { exchange }));
  queue.add(traffic(2, { exchange, unjudged: 'its content is longer than 1 MiB' }));
  queue.flush();
  expect(
    judged.map(({ exchange: { answer } }) => answer.kind === 'response' && answer.response.body),
  ).toEqual([Buffer.from('{"a":1}'), response.body]);
  expect(judged[0]?.exchange.answer).toHaveProperty('trailing', trailing);
});

test.each([
  ['reads together', ['+GET', '+GET', '-0', '-1'], [false, false]],
  ['a change beside a read', ['+GET', '+POST', '-0', '-1'], [true, true]],
  [
    'a read that ends before the change begins',
    ['+GET', '+HEAD', '-0', '+PUT', '-1', '-2'],
    [false, true, true],
  ],
  ['one after the other', ['+PUT', '-0', '+GET', '-1'], [false, false]],
])('sees which requests are under way beside a change: %s', (_what, events, expected) => {
  const taken: Traffic[] = [];
  const watch = new Watch(1_024, (one) => taken.push(one));
  const begun: ReturnType<Watch['begin']>[] = [];
  for (const event of events) {
    if (event.startsWith('+')) {
      begun.push(watch.begin({ method: event.slice(1), target: '/', fields: [], framing: 'content-length' }));
    } else {
      begun[Number(event.slice(1))]?.end({ kind: 'unreachable', reason: '' });
    }
  }
  const inOrder = taken.toSorted((one, other) => one.number - other.number);
  expect(inOrder.map(({ isBesideChange }) => isBesideChange)).toEqual(expected);
});
