import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { toWire, type Wire } from '../../../fixtures/sockets/to-wire.ts';
import { createMock } from '../create-mock.ts';
import { createFaultRefuser } from '../faults/inject.ts';
import type { MockResponse } from '../message.ts';
import type { Listener, Mock } from '../mock.ts';
import type { Responder } from '../responder.ts';
import { listen, type ServerTimes, serverTimes } from './server.ts';

const plantStore = fileURLToPath(new URL('../../../spec/plant-store.yaml', import.meta.url));
const refuseFault = createFaultRefuser({ operations: [] });
const opened: { close(): unknown }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));

async function openMock(): Promise<string> {
  const mock = await createMock(plantStore, { tokens: ['t'] });
  opened.push(mock);
  return (await mock.listen()).url;
}

/** Serves answers of a test's own making, with waits short enough for a test. */
async function serve(responder: Partial<Responder>, times: Partial<ServerTimes> = {}): Promise<Listener> {
  const accepted = { kind: 'accepted', begun: 0 } as const;
  const stand: Responder = {
    contentLimit: 100,
    respondEarly: ({ answer }) => answer,
    // `as`: nothing of an accepted request is looked at here.
    receive: () => accepted as ReturnType<Responder['receive']>,
    respond: (_, content) =>
      answerWith(content === 'too-large' ? 'too large' : `${content?.length ?? 0} bytes`),
    refuse: ({ fault }) => refuseFault(fault),
    ...responder,
  };
  const listener = await listen(stand, {}, { ...serverTimes, checkMs: 20, ...times });
  opened.push(listener);
  return listener;
}

function answerWith(body: string): MockResponse {
  return { status: 200, headers: ['Content-Type', 'text/plain'], body, note: {} };
}

/** Opens a connection. `received` is everything that came before the end of the connection. */
function open(url: string): Wire & { readonly received: Promise<string> } {
  const { port, hostname } = new URL(url);
  const wire = toWire(connect(Number(port), hostname));
  opened.push({ close: () => wire.socket.destroy() });
  return { ...wire, received: wire.closed.then(() => wire.text()) };
}

function head(fields: Record<string, string | number> = {}, method = 'POST'): string {
  const lines = Object.entries({ Host: 'localhost', ...fields }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} /plants HTTP/1.1\r\n${lines.join('')}\r\n`;
}

const authorized = { Authorization: 'Bearer t', 'Content-Type': 'application/json' };

test('answers over a port as it does in process', async () => {
  const url = await openMock();
  const response = await fetch(`${url}/plants`, {
    method: 'POST',
    headers: authorized,
    body: '{"id":1,"name":"\u00e4"}',
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-length')).toBe('13');
  expect(response.headers.get('keep-alive')).toMatch(/^timeout=([5-9]|\d\d+)$/u);
  expect(await response.text()).toBe('{"name":"\u00e4"}');
});

test('shares one state between all places where it listens', async () => {
  const mock = await createMock(plantStore);
  opened.push(mock);
  const init = { method: 'POST', headers: authorized, body: '{"id":1,"name":"a"}' };
  const urls = [(await mock.listen()).url, (await mock.listen()).url];
  const statuses: number[] = [];
  for (const url of urls) {
    statuses.push((await fetch(`${url}/plants`, init)).status);
  }
  expect(statuses).toEqual([200, 400]);
  expect((await mock.fetch('/plants', init)).status).toBe(400);
});

test('answers pipelined requests in their order', async () => {
  const { socket, until } = open(await openMock());
  const bodies = ['{"id":1,"name":"one"}', '{"id":2,"name":"two"}', '{"id":1,"name":"three"}'];
  socket.write(bodies.map((body) => head({ ...authorized, 'Content-Length': body.length }) + body).join(''));
  const text = await until(/is taken/u);
  expect(text.match(/HTTP\/1\.1 \d+/gu)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
  expect(text.indexOf('one')).toBeLessThan(text.indexOf('two'));
});

test('reads content that is chunked, and that comes in several packets', async () => {
  const url = await openMock();
  const { socket, until } = open(url);
  socket.write(head({ ...authorized, 'Transfer-Encoding': 'chunked' }));
  for (const part of ['{"id":1,', '"name":"in ', 'parts"}']) {
    socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  socket.write('0\r\n\r\n');
  expect(await until(/parts/u)).toContain('{"name":"in parts"}');
});

test('sees two Authorization fields as two', async () => {
  const { socket, until } = open(await openMock());
  const body = '{"id":1,"name":"a"}';
  socket.write(
    `POST /plants HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer t\r\nAuthorization: Bearer t\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  expect(await until(/\}/u)).toContain('401 Unauthorized');
});

test('answers HEAD without content, and keeps the connection', async () => {
  const { socket, until } = open(await openMock());
  socket.write(head({}, 'HEAD') + head({}, 'GET'));
  const text = await until(/takes POST/u);
  expect(text.match(/HTTP\/1\.1 405/gu)).toHaveLength(2);
  expect(text.split('\r\n\r\n')[1]).toMatch(/^HTTP/u);
});

test('answers a body that is announced too long before it comes, and closes politely', async () => {
  const { socket, received } = open(await openMock());
  socket.write(head({ ...authorized, 'Content-Length': 50_000_000 }));
  const chunk = 'a'.repeat(100_000);
  for (let sent = 0; sent < 50; sent += 1) {
    socket.write(chunk);
  }
  socket.end();
  const text = await received;
  expect(text).toMatch(/^HTTP\/1\.1 400 /u);
  expect(text).toContain('Connection: close');
  expect(text).toContain('larger than 10485760 bytes');
});

test('answers a body that turns out too long while it still comes', async () => {
  const { url } = await serve({});
  const { socket, received } = open(url);
  socket.write(
    `${head({ 'Transfer-Encoding': 'chunked' })}50\r\n${'a'.repeat(80)}\r\n50\r\n${'a'.repeat(80)}\r\n`,
  );
  expect(await received).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Connection: close[^]*too large$/u);
});

test('gives up on a client that sends content nobody reads without end', async () => {
  const { url } = await serve({}, { lingerMs: 50 });
  const { socket, received } = open(url);
  socket.write(head({ 'Content-Length': 50_000_000 }));
  const timer = setInterval(() => socket.write('a'), 5);
  expect(await received).toContain('too large');
  clearInterval(timer);
});

test('does not ask for content that it would refuse', async () => {
  const url = await openMock();
  const expecting = { ...authorized, Expect: '100-continue' };
  const tooLong = open(url);
  tooLong.socket.write(head({ ...expecting, 'Content-Length': 50_000_000 }));
  expect(await tooLong.received).toMatch(/^HTTP\/1\.1 400 [^]*Connection: close/u);
  const stranger = open(url);
  stranger.socket.write(head({ Expect: '100-continue', 'Content-Length': 19 }));
  expect(await stranger.received).toMatch(/^HTTP\/1\.1 401 [^]*Connection: close/u);
});

test('asks for content that a client announces', async () => {
  const { socket, until } = open(await openMock());
  socket.write(head({ ...authorized, Expect: '100-Continue', 'Content-Length': 19 }));
  expect(await until(/\r\n\r\n/u)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write('{"id":1,"name":"a"}');
  expect(await until(/\}/u)).toContain('HTTP/1.1 200 OK');
});

test('closes without a word a connection on which nothing comes', async () => {
  const { url } = await serve({}, { headMs: 50, requestMs: 100 });
  expect(await open(url).received).toBe('');
});

test('gives up with 408 on a client that stops in its head', async () => {
  const { url } = await serve({}, { headMs: 50, requestMs: 100 });
  const { socket, received } = open(url);
  socket.write('POST /plants HTTP/1.1\r\nHost:');
  expect(await received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n[^]*Connection: close/u);
});

test('gives up with 408 on a client that trickles its content', async () => {
  const { url } = await serve({}, { headMs: 50, requestMs: 100 });
  const { socket, received } = open(url);
  socket.write(`${head({ 'Content-Length': 50 })}{`);
  const timer = setInterval(() => socket.write(' '), 10);
  expect(await received).toMatch(/^HTTP\/1\.1 408 /u);
  clearInterval(timer);
});

test('answers a client that has closed its own side after its request', async () => {
  const { socket, received } = open(await openMock());
  const body = '{"id":1,"name":"a"}';
  socket.end(head({ ...authorized, 'Content-Length': body.length }) + body);
  expect(await received).toContain('{"name":"a"}');
});

test('goes on after clients that went away in the middle', async () => {
  const url = await openMock();
  for (const sent of [
    'POST /pl',
    head({ 'Content-Length': 50 }),
    `${head({ ...authorized, 'Content-Length': 50 })}{"id"`,
  ]) {
    const { socket, received } = open(url);
    socket.write(sent, () => socket.resetAndDestroy());
    await received;
  }
  expect((await fetch(url)).status).toBe(404);
});

test('waits for an answer that is not there yet, and closes when it is written', async () => {
  let finish: (answer: MockResponse) => void = () => undefined;
  const answer = new Promise<MockResponse>((resolve) => {
    finish = resolve;
  });
  let begun: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const { url, close } = await serve({
    respond() {
      begun();
      return answer;
    },
  });
  const { socket, received } = open(url);
  socket.write(head());
  await started;
  const closed = close();
  finish(answerWith('late'));
  expect(await received).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Connection: close[^]*late$/u);
  await closed;
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

test('closes although clients hold connections open', async () => {
  const { url, close } = await serve({}, { closeMs: 50 });
  const silent = open(url);
  const halfway = open(url);
  const used = open(url);
  halfway.socket.write('POST /plants HTTP/1.1\r\n');
  used.socket.write(head());
  await used.until(/0 bytes/u);
  await close();
  expect(await Promise.all([silent.received, halfway.received])).toEqual(['', '']);
  await used.received;
});

test('answers 500 where the mock itself is wrong, and stays up', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const { url } = await serve({
    respond() {
      throw new Error('the store is gone');
    },
  });
  const answer = await fetch(url);
  expect(answer.status).toBe(500);
  expect(answer.headers.get('cloche-undeclared')).toBe('internal-error');
  expect((await fetch(url, { method: 'POST', body: 'a' })).status).toBe(500);
  expect(warn.mock.calls.map(([warning]) => String(warning))).toEqual(
    Array(2).fill('Error: the store is gone'),
  );
  warn.mockRestore();
});

test('answers 500 where an answer that came late cannot be written', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const { url } = await serve({
    respond: async () => ({ ...answerWith('a'), headers: ['No Name', 'a'] }),
  });
  expect((await fetch(url)).status).toBe(500);
  expect(warn).toHaveBeenCalledOnce();
  warn.mockRestore();
});

test('holds the state of concurrent requests apart: one of many with one id is created', async () => {
  const url = await openMock();
  const send = (id: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const request = httpRequest(`${url}/plants`, { method: 'POST', headers: authorized }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      request.on('error', reject);
      request.end(JSON.stringify({ id, name: 'a' }));
    });
  const statuses = await Promise.all(Array.from({ length: 40 }, (_, index) => send(index % 2)));
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  expect(statuses.filter((status) => status === 400)).toHaveLength(38);
});

describe('requests whose content does not decide the response', () => {
  /** The content of a request that is refused, or whose answer is forced, as the log shows it. */
  const body = '{"id":7,"name":"Basil"}';
  const sent = { body, bytes: body.length };

  let mock: Mock;
  let listener: Listener;

  beforeEach(async () => {
    mock = await createMock(undefined, { tokens: ['t'] });
    opened.push(mock);
    listener = await mock.listen();
  });

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

  test.each(cases)('the log shows the content of %s: %i', async (_, status, path, init) => {
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

  test('reads the content before it sends a forced response, and logs both', async () => {
    const wire = open(listener.url);
    wire.write(headOf(`Cloche-Fault: status=503\r\nContent-Length: ${body.length}\r\n`));
    wire.write(body.slice(0, 5));
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect([wire.text(), mock.requests.list()]).toEqual(['', []]);
    wire.write(body.slice(5));
    expect(await wire.until(/\}$/u)).toMatch(/^HTTP\/1\.1 503 /u);
    expect(newest()).toMatchObject({ request: sent });
  });

  test('rejects a request before its content arrives', async () => {
    const wire = open(listener.url);
    wire.write(`${headOf(`Content-Length: ${body.length}\r\n`)}{`);
    expect(await wire.until(/\}$/u)).toMatch(/^HTTP\/1\.1 401 /u);
    expect(newest()).toMatchObject({ request: { bytes: body.length, missing: 'not-read' } });
    // What still comes is the rest of that request.
    wire.write(body.slice(1) + headOf('Content-Length: 0\r\n'));
    expect((await wire.until(/\}HTTP[^]*\}$/u)).match(/HTTP\/1\.1 401/gu)).toHaveLength(2);
    expect(mock.requests.list()).toHaveLength(2);
  });

  test('logs a request once whose client disconnects before it sent the content', async () => {
    const part = `${headOf(`Content-Length: ${body.length}\r\n`)}{`;
    mock.faults.put({ id: 'count', delay: 0 });
    const gone = open(listener.url);
    gone.write(part);
    await expect.poll(() => mock.faults.list()[0]?.applied).toBe(1);
    gone.socket.resetAndDestroy();
    await expect.poll(() => mock.requests.list().length).toBe(1);
    expect(newest()).toMatchObject({ status: 401, request: { missing: 'not-read' } });
    const ended = open(listener.url);
    ended.write(part);
    ended.socket.end();
    expect(await ended.closed).toBe('ended');
    expect(ended.text().match(/HTTP\/1\.1 \d+/gu)).toEqual(['HTTP/1.1 400']);
    expect(mock.requests.list().map(({ status }) => status)).toEqual([401, 400]);
  });

  test('does not wait for content that is too large, or that the client withholds', async () => {
    for (const fields of ['Content-Length: 999999999\r\n', `Content-Length: 9\r\nExpect: 100-continue\r\n`]) {
      const wire = open(listener.url);
      wire.write(headOf(fields));
      expect(await wire.until(/\}$/u)).toMatch(/^HTTP\/1\.1 401 /u);
      expect(newest()).toMatchObject({ status: 401, request: { missing: 'not-read' } });
    }
  });

  test('logs that the content of a request with a forced response was too large to read', async () => {
    const wire = open(listener.url);
    wire.write(headOf('Cloche-Fault: status=503\r\nContent-Length: 999999999\r\n'));
    expect(await wire.until(/\}$/u)).toMatch(/^HTTP\/1\.1 503 /u);
    expect(newest()).toMatchObject({ status: 503, request: { bytes: 999_999_999, missing: 'too-large' } });
  });
});
