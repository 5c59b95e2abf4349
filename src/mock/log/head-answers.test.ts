import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toWire, type Wire } from '../../../fixtures/sockets/to-wire.ts';
import { createMock } from '../create-mock.ts';
import type { Listener, Mock } from '../mock.ts';

/** The content of a request that is refused, or whose answer is forced, as the log shows it. */
const body = '{"id":7,"name":"Basil"}';
const sent = { body, bytes: body.length };

let mock: Mock;
let listener: Listener;
const wires: Wire[] = [];

beforeEach(async () => {
  mock = await createMock(undefined, { tokens: ['t'] });
  listener = await mock.listen();
});

afterEach(async () => {
  wires.splice(0).forEach(({ socket }) => socket.destroy());
  await mock.close();
});

function open(): Wire {
  const { port, hostname } = new URL(listener.url);
  const wire = toWire(connect(Number(port), hostname));
  wires.push(wire);
  return wire;
}

function headOf(fields: string): string {
  return `POST /plants HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${fields}\r\n`;
}

function newest(): unknown {
  const [request] = mock.requests.list().toReversed();
  return { status: request?.status, request: request?.request };
}

const cases: readonly (readonly [what: string, status: number, path: string, init: RequestInit])[] = [
  ['a forced answer', 503, '/plants', { headers: { 'cloche-fault': 'status=503' } }],
  ['a forced answer on a path of nobody', 503, '/nowhere', { headers: { 'cloche-fault': 'status=503' } }],
  ['a dropped connection', 0, '/plants', { headers: { 'cloche-fault': 'drop' } }],
  [
    'a forced answer that is cut off',
    503,
    '/plants',
    { headers: { 'cloche-fault': 'status=503, truncate' } },
  ],
  ['a request without credentials', 401, '/plants', {}],
  ['a path of nobody', 404, '/nowhere', {}],
  ['a method of nobody', 405, '/plants', { method: 'PUT' }],
];

test.each(cases)('shows the content of %s: %i', async (_, status, path, init) => {
  for (const ask of [mock.fetch, (at: string, how: RequestInit) => fetch(`${listener.url}${at}`, how)]) {
    await ask(path, { method: 'POST', ...init, body })
      .then((response) => response.text())
      .catch(() => undefined);
    expect(newest()).toMatchObject({ status, request: sent });
    mock.requests.clear();
  }
  const headers = Object.entries({ ...init.headers });
  await mock.send({
    method: init.method ?? 'POST',
    target: path,
    headers,
    body: new TextEncoder().encode(body),
  });
  expect(newest()).toMatchObject({ status, request: sent });
});

test('waits for the content before a forced answer, and has it in the log by then', async () => {
  const wire = open();
  wire.write(headOf(`Cloche-Fault: status=503\r\nContent-Length: ${body.length}\r\n`));
  wire.write(body.slice(0, 5));
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect([wire.text(), mock.requests.list()]).toEqual(['', []]);
  wire.write(body.slice(5));
  expect(await wire.until(/\}$/u)).toMatch(/^HTTP\/1\.1 503 /u);
  expect(newest()).toMatchObject({ request: sent });
});

test('answers a request that is refused though its content does not come', async () => {
  const wire = open();
  wire.write(`${headOf(`Content-Length: ${body.length}\r\n`)}{`);
  expect(await wire.until(/\}$/u)).toMatch(/^HTTP\/1\.1 401 /u);
  expect(newest()).toMatchObject({ request: { bytes: body.length, missing: 'not-read' } });
  // What still comes is the rest of that request.
  wire.write(body.slice(1) + headOf('Content-Length: 0\r\n'));
  expect((await wire.until(/\}HTTP[^]*\}$/u)).match(/HTTP\/1\.1 401/gu)).toHaveLength(2);
  expect(mock.requests.list()).toHaveLength(2);
});

test('keeps a request once whose client goes away before its content is there', async () => {
  const part = `${headOf(`Content-Length: ${body.length}\r\n`)}{`;
  mock.faults.put({ id: 'count', delay: 0 });
  const gone = open();
  gone.write(part);
  await expect.poll(() => mock.faults.list()[0]?.applied).toBe(1);
  gone.socket.resetAndDestroy();
  await expect.poll(() => mock.requests.list().length).toBe(1);
  expect(newest()).toMatchObject({ status: 401, request: { missing: 'not-read' } });
  const ended = open();
  ended.write(part);
  ended.socket.end();
  expect(await ended.closed).toBe('ended');
  expect(ended.text().match(/HTTP\/1\.1 \d+/gu)).toEqual(['HTTP/1.1 400']);
  expect(mock.requests.list().map(({ status }) => status)).toEqual([401, 400]);
});

test('waits for no content that is too large, or that the client holds back', async () => {
  for (const fields of ['Content-Length: 999999999\r\n', `Content-Length: 9\r\nExpect: 100-continue\r\n`]) {
    const wire = open();
    wire.write(headOf(fields));
    expect(await wire.until(/\}$/u)).toMatch(/^HTTP\/1\.1 401 /u);
    expect(newest()).toMatchObject({ status: 401, request: { missing: 'not-read' } });
  }
});

test('says of a forced answer that the content was too large to be read', async () => {
  const wire = open();
  wire.write(headOf('Cloche-Fault: status=503\r\nContent-Length: 999999999\r\n'));
  expect(await wire.until(/\}$/u)).toMatch(/^HTTP\/1\.1 503 /u);
  expect(newest()).toMatchObject({ status: 503, request: { bytes: 999_999_999, missing: 'too-large' } });
});
