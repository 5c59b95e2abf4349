import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:http2';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { type Received, type Receiver, startReceiver } from '../../../fixtures/receiver.ts';
import { createMock } from '../create-mock.ts';
import type { LoggedRequest } from '../message.ts';
import type { Mock } from '../mock.ts';

const events = { 'Content-Type': 'text/event-stream' };
const [first, second] = ['data: 1\n\n', 'data: 2\n\n'];
let service: Receiver;
let mock: Mock;
/** The latest response of the service, which the test writes. */
let response: ServerResponse;

function answer({ method, url }: Received, given: ServerResponse): void {
  response = given;
  if (url === '/wait') return;
  if (url === '/whole') response.end('whole');
  else if (method === 'HEAD') response.writeHead(200, events).end();
  else response.writeHead(200, events).write(first);
}

beforeEach(async () => {
  service = await startReceiver(answer);
  mock = await createMock(contractOf({ paths: {} }), { fallback: service.url });
});

afterEach(async () => {
  await mock.close();
  service.close();
});

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** Sends a request over HTTP/2. Like that of fetch, the signal also aborts the response. */
async function askByHttp2(path: string, { signal, headers, method = 'GET' }: RequestInit = {}) {
  const [cert, key] = ['cert', 'key'].map((part) =>
    readFileSync(new URL(`../../../fixtures/tls/localhost.${part}.pem`, import.meta.url), 'utf8'),
  );
  const { url } = await mock.listen({ https: { cert: cert ?? '', key: key ?? '' } });
  const session = connect(url, { rejectUnauthorized: false });
  const fields = Object.fromEntries(new Headers(headers));
  const stream = session.request({ ...fields, ':path': path, ':method': method });
  stream.on('close', () => session.close()).on('error', () => undefined);
  signal?.addEventListener('abort', () => stream.close());
  const [head] = await once(stream, 'response');
  const text = Object.entries(head).flatMap(([name, value]): [string, string][] =>
    name.startsWith(':') ? [] : [[name, String(value)]],
  );
  // `as`: the stream of node:stream/web is that of the global.
  const body = method === 'HEAD' ? null : (Readable.toWeb(stream) as ReadableStream<Uint8Array>);
  return new Response(body, { status: head[':status'], headers: text });
}

const asks: Readonly<Record<string, Ask>> = {
  'HTTP/1.1': async (path, init) => fetch((await mock.listen()).url.replace(/\/$/u, '') + path, init),
  'HTTP/2': askByHttp2,
  'mock.fetch': (path, init) => mock.fetch(path, init),
};
const ways = Object.entries(asks);

function read({ body }: Response): () => Promise<string> {
  const reader = body?.getReader();
  return async () => new TextDecoder().decode((await reader?.read())?.value);
}

/** Waits until the service notices the end of its connection. */
function untilClosed(): Promise<void> {
  return vi.waitFor(() => expect(response.closed).toBe(true), { timeout: 60_000 });
}

async function logged(): Promise<LoggedRequest | undefined> {
  return (await mock.requests.waitFor({}, { timeoutMs: 60_000 })).at(-1);
}

test.each(ways)('passes each event of the service before the next is sent (%s)', async (_, ask) => {
  const answered = await ask('/events');
  const next = read(answered);
  expect([answered.status, answered.headers.get('content-type'), await next()]).toEqual([
    200,
    'text/event-stream',
    first,
  ]);
  expect(mock.requests.list()).toEqual([]);
  response.end(second);
  expect([await next(), await next()]).toEqual([second, '']);
  expect(await logged()).toMatchObject({
    status: 200,
    target: '/events',
    message: `Forwarded to ${service.url}.`,
    response: { body: first + second, bytes: 18 },
  });
});

test.each(ways)('aborts the request to the service if the client goes away (%s)', async (_, ask) => {
  const client = new AbortController();
  await read(await ask('/events', { signal: client.signal }))();
  client.abort();
  await untilClosed();
  expect(await logged()).toMatchObject({
    message: `Forwarded to ${service.url}. It was broken off.`,
    response: { body: first },
  });
});

test.each(ways)('aborts a request that the service has not answered (%s)', async (_, ask) => {
  const client = new AbortController();
  const asked = ask('/wait', { signal: client.signal }).catch(() => undefined);
  await vi.waitFor(() => expect(service.received).toHaveLength(1), { timeout: 60_000 });
  client.abort();
  await untilClosed();
  expect(await logged()).toMatchObject({ status: 502, message: expect.stringContaining('did not wait') });
  void asked;
});

test.each(ways)('breaks off if the service breaks off (%s)', async (_, ask) => {
  const next = read(await ask('/events'));
  response.write(second, () => response.destroy());
  expect(await next()).toBe(first);
  let rest = '';
  await expect(async () => {
    for (;;) {
      const text = await next();
      if (text === '') return;
      rest += text;
    }
  }).rejects.toThrow(/terminated|NGHTTP2_INTERNAL_ERROR/u);
  expect(rest).toBe(second);
  expect((await logged())?.message).toContain('It was broken off.');
});

test.each(ways)(
  'an open stream breaks off when the mock closes, which does not wait (%s)',
  async (_, ask) => {
    const next = read(await ask('/events'));
    await next();
    // The time limit of the close never passes.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      await mock.close();
    } finally {
      vi.useRealTimers();
    }
    await untilClosed();
    await expect(next()).rejects.toThrow(/terminated|NGHTTP2_INTERNAL_ERROR/u);
  },
);

test.each(ways)('delays a stream, and truncates it in the middle of its first event (%s)', async (_, ask) => {
  const late = read(await ask('/events', { headers: { 'cloche-fault': 'delay=5' } }));
  expect(await late()).toBe(first);
  const half = read(await ask('/events', { headers: { 'cloche-fault': 'truncate' } }));
  expect(await half()).toBe(first.slice(0, 4));
  await expect(half()).rejects.toThrow(/terminated|NGHTTP2_INTERNAL_ERROR/u);
  await untilClosed();
});

test.each(ways)('aborts a delayed stream if the client goes away (%s)', async (_, ask) => {
  const client = new AbortController();
  const headers = { 'cloche-fault': 'delay=60000' };
  const asked = ask('/events', { headers, signal: client.signal }).catch(() => undefined);
  await vi.waitFor(() => expect(service.received).toHaveLength(1), { timeout: 60_000 });
  client.abort();
  await untilClosed();
  expect(await logged()).toBeDefined();
  void asked;
});

test.each(ways)('answers HEAD of a stream without content (%s)', async (_, ask) => {
  const answered = await ask('/events', { method: 'HEAD' });
  expect([answered.headers.get('content-type'), answered.headers.get('content-length')]).toEqual([
    'text/event-stream',
    null,
  ]);
  expect(await answered.text()).toBe('');
  expect(await logged()).toMatchObject({ method: 'HEAD', response: { bytes: 0 } });
});

test('open streams leave connections for other requests', async () => {
  const streams = await Promise.all(Array.from({ length: 40 }, () => mock.fetch('/events')));
  expect(await (await mock.fetch('/whole')).text()).toBe('whole');
  await Promise.all(streams.map(async ({ body }) => body?.cancel()));
});

test('passes content that is longer than the limit of other responses', async () => {
  service.close();
  await mock.close();
  const long = Buffer.alloc(17 * 1024 * 1024, 'x');
  service = await startReceiver((_, given) => void given.setHeader('Content-Length', long.length).end(long));
  mock = await createMock(contractOf({ paths: {} }), { fallback: service.url });
  const answered = await fetch((await mock.listen()).url);
  expect(answered.headers.get('content-length')).toBe(String(long.length));
  expect((await answered.arrayBuffer()).byteLength).toBe(long.length);
  expect(await logged()).toMatchObject({ response: { bytes: long.length, missing: 'not-kept' } });
});

test('mock.send gets the first events', async () => {
  const answered = await mock.send({ method: 'GET', target: '/events', headers: [], body: undefined });
  expect(answered).toMatchObject({ kind: 'response', response: { body: Buffer.from(first) } });
  expect(await logged()).toMatchObject({ response: { body: first } });
});
