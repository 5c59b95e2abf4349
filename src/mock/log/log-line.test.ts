import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { parsePathTemplate } from '../../contract/router.ts';
import { parseJson } from '../../json/parse.ts';
import type { JsonObject } from '../../json/value.ts';
import { compileSchema } from '../../schema/compile.ts';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock.ts';
import { createLogRenderer, renderJsonLine, type RequestLogEntry } from './log-line.ts';

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

test('cuts a line to the columns of a terminal, of which some characters take two', () => {
  const invalid = { status: 400, condition: 'invalid-body' } as const;
  const start = '12:30:01 POST    /orders 400   1.2 ms  invalid-body: ';
  expect(render({ ...invalid, message: '名前 is required.' }, 80)).toBe(`${start}名前 is required.`);
  expect(render({ ...invalid, message: '名前名前' }, start.length + 8)).toBe(`${start}名前名前`);
  expect(render({ ...invalid, message: '名前名前' }, start.length + 7)).toBe(`${start}名前名…`);
  expect(render({ ...invalid, message: 'a😀😀😀' }, start.length + 6)).toBe(`${start}a😀😀…`);
  expect(render({ target: `/orders/${'x'.repeat(300)}` }, 80)).toBe(
    `12:30:01 POST    /orders/${'x'.repeat(31)}… 200   1.2 ms  createO…`,
  );
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

// `as`: the schema is an object, as the test below would show.
const schema = JSON.parse(
  readFileSync(new URL('../../../spec/log.schema.json', import.meta.url), 'utf8'),
) as JsonObject;
const validate = compileSchema({ schema, pointer: '' }).validator({
  formats: 'assert',
  integers: 'by-value',
});
const responses = { 204: { description: 'Done.' } };
const body = { content: { 'application/json': { schema: { type: 'object', required: ['id'] } } } };
const contract = contractOf({
  paths: {
    '/orders': {
      post: {
        operationId: 'createOrder',
        parameters: [{ name: 'dry', in: 'query', schema: { type: 'boolean' } }],
        requestBody: body,
        responses,
      },
    },
  },
});

test('writes lines that the schema of the log allows, whatever came of a request', async () => {
  const lines: string[] = [];
  const whole: string[] = [];
  const mock: Mock = await createMock(contract, {
    log: (entry) => {
      lines.push(renderJsonLine(entry));
      whole.push(renderJsonLine(entry, mock.requests.get(entry.id)));
    },
  });
  const post = (content: string, target = '/orders'): Promise<Response> =>
    mock.fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: content,
    });
  await post('{"id":1}');
  await post('{}');
  await post('{');
  await post('{"id":2}', '/orders?dry=x');
  await post('{"id":2}', '/order?\u2028\u009b');
  mock.faults.put({ id: 'gone', connection: 'drop' });
  await post('{"id":3}').catch(() => undefined);
  expect(lines).toHaveLength(6);
  for (const line of [...lines, ...whole]) {
    expect(line).not.toContain('\n');
    const parsed = parseJson(line);
    expect(parsed.kind === 'json' && validate(parsed.value, parsed.exact)).toEqual([]);
  }
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { id: 1, verdict: 'accepted', operation: 'createOrder' },
    { id: 2, condition: 'invalid-body', problems: [{ pointer: '/id', clause: { text: 'required: [id]' } }] },
    { id: 3, condition: 'malformed-body', problems: [{ position: 1 }] },
    { id: 4, condition: 'invalid-parameter', problems: [{ parameter: { name: 'dry' } }] },
    { id: 5, status: 404, undeclared: 'other-operations' },
    { id: 6, status: 0, fault: 'gone', verdict: 'forced' },
  ]);
  expect(JSON.parse(whole[0] ?? '')).toMatchObject({
    request: { headers: [['content-type', 'application/json']], bytes: 8, body: '{"id":1}' },
    response: { bytes: 0 },
  });
});
