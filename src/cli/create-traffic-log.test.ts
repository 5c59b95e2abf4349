import { expect, test } from 'vitest';
import { createPaint } from '../errors/console-text.ts';
import type { Exchange } from '../http/message.ts';
import type { TrafficEvent } from '../runner/events.ts';
import { createTrafficLog } from './commands/run-proxy.ts';

function linesOf(events: readonly TrafficEvent[], columns?: number): readonly string[] {
  const lines: string[] = [];
  const log = createTrafficLog({
    paint: createPaint(false),
    secrets: ['hush-hush'],
    columns: () => columns,
    writeLine: (line) => lines.push(line),
  });
  events.forEach((event, index) => log(event, index + 7));
  return lines;
}

const startedAt = new Date(2026, 10, 21, 12, 30, 1).getTime();
const exchange: Exchange = {
  request: { method: 'GET', target: '/orders/hush-hush\u001B[2J', headers: [], body: undefined },
  answer: { kind: 'dropped', reason: '', received: new Uint8Array() },
  durationMs: 1.26,
};
const unjudged: TrafficEvent = {
  kind: 'traffic-unjudged',
  place: 'exchange 7',
  reason: 'its client went away before its end',
  exchange,
  startedAt,
};

test('writes a line for an exchange, with its number and why it is not judged', () => {
  const response = { status: 200, headers: [], body: new Uint8Array() };
  const answered: Exchange = { ...exchange, answer: { kind: 'response', response } };
  expect(linesOf([unjudged, { ...unjudged, exchange: answered, reason: 'it is odd' }])).toEqual([
    String.raw`    7 12:30:01 GET     /orders/[secret]\u{1b}[2J ---    1.3 ms  not judged: its client went away before its end`,
    String.raw`    8 12:30:01 GET     /orders/[secret]\u{1b}[2J 200    1.3 ms  not judged: it is odd`,
  ]);
});

test('cuts lines to the width of the terminal', () => {
  const [line = ''] = linesOf([unjudged], 40);
  expect([line.length, line.at(-1)]).toEqual([40, '…']);
});
