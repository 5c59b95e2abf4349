import { expect, test } from 'vitest';
import { parsePathTemplate } from '../contract/router.ts';
import { createLogRenderer, type RequestLogEntry } from './log/log-line.ts';

const time = new Date(2026, 10, 21, 12, 30, 1).getTime();
const operations = [{ path: parsePathTemplate('/orders') }];
const created: RequestLogEntry = {
  id: 1,
  time,
  verdict: 'accepted',
  method: 'POST',
  target: '/orders',
  status: 200,
  operation: 'createOrder',
  durationMs: 1.234,
};

function render(entry: Partial<RequestLogEntry>, columns?: number): string {
  return createLogRenderer({ operations, columns: () => columns })({ ...created, ...entry });
}

test('writes one line a request, in columns', () => {
  const lines = [
    render({}),
    render({ status: 400, condition: 'duplicate-key', message: '/id 1 is taken.', durationMs: 12.3 }),
    render({
      method: 'GET',
      target: '/x',
      status: 404,
      condition: 'unknown-path',
      undeclared: 'other-operations',
      message: 'Nothing is here.',
    }),
    render({ status: 400, condition: 'invalid-body', message: 'The body is not valid: /id is required.' }),
    render({ method: 'OPTIONS', status: 204, operation: undefined, message: 'CORS preflight' }),
    render({ method: '-', target: '-', status: 400, condition: 'not-http', undeclared: 'not-http' }),
  ];
  expect(lines).toEqual([
    '12:30:01 POST    /orders 200   1.2 ms  createOrder',
    '12:30:01 POST    /orders 400  12.3 ms  duplicate-key: /id 1 is taken.',
    '12:30:01 GET     /x      404   1.2 ms  undeclared unknown-path: Nothing is here.',
    '12:30:01 POST    /orders 400   1.2 ms  invalid-body: /id is required.',
    '12:30:01 OPTIONS /orders 204   1.2 ms  CORS preflight',
    '12:30:01 -       -       400   1.2 ms  undeclared not-http: ',
  ]);
});

test('names what interfered, and does not say twice what stands before it', () => {
  const entries: readonly Partial<RequestLogEntry>[] = [
    { verdict: 'forced', status: 503, fault: 'down', message: 'This answer was forced by the rule "down".' },
    { status: 0, fault: 'gone', message: 'The connection was dropped by the rule "gone".' },
    { fault: 'slow', message: 'The answer was held back for 30 ms by the rule "slow".' },
    { status: 400, condition: 'duplicate-key', message: '/id 1 is taken.', fault: 'slow' },
    {
      target: '/o',
      status: 404,
      condition: 'unknown-path',
      message: 'There is nothing at /o: the nearest is A.',
    },
    { status: 405, condition: 'unknown-method', message: 'PUT is not declared for /orders: it takes POST.' },
  ];
  expect(entries.map((entry) => render(entry).slice(17))).toEqual([
    '/orders 503   1.2 ms  createOrder: forced by the rule "down".',
    '/orders ---   1.2 ms  createOrder: The connection was dropped by the rule "gone".',
    '/orders 200   1.2 ms  createOrder: held back for 30 ms by the rule "slow".',
    '/orders 400   1.2 ms  duplicate-key: /id 1 is taken. (the rule "slow")',
    '/o      404   1.2 ms  unknown-path: the nearest is A.',
    '/orders 405   1.2 ms  unknown-method: it takes POST.',
  ]);
});

test('keeps to the width of a terminal, and shows the status of a long target there', () => {
  const message = 'a'.repeat(500);
  for (const target of ['/orders', `/${'b'.repeat(500)}`]) {
    const line = render({ target, status: 400, condition: 'invalid-body', message }, 80);
    expect(line).toHaveLength(80);
    expect(line).toMatch(/ 400 .*…$/u);
  }
  expect(render({ target: `/${'b'.repeat(500)}` })).toContain(`/${'b'.repeat(500)} 200`);
});

test('shows controls as escapes', () => {
  const line = render({ condition: 'invalid-body', message: 'the \u001B[2J\u009Bname\n' });
  expect(line).toContain(String.raw`the \u{1b}[2J\u{9b}name\u{a}`);
});

test('follows the time of the day', () => {
  const renderEntry = createLogRenderer({ operations, columns: () => undefined });
  const clocks = [0, 999, 1000].map((later) => renderEntry({ ...created, time: time + later }).slice(0, 8));
  expect(clocks).toEqual(['12:30:01', '12:30:01', '12:30:02']);
});
