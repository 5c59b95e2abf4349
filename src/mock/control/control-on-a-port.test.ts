import { request } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createMock } from '../create-mock.ts';
import type { Listener, Mock, MockOptions } from '../mock.ts';
import { mostControlBytes } from './operation.ts';

let mock: Mock | undefined;

afterEach(() => mock?.close());

async function listen(host: string, options: MockOptions = {}): Promise<Listener> {
  mock = await createMock(undefined, options);
  return mock.listen({ host });
}

interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request as it is, with whatever Host it has. */
function send(
  { url }: Listener,
  call: Call = {},
): Promise<{ status: number; text: string; challenge: string }> {
  const { port } = new URL(url);
  const { method = 'GET', path = '/__cloche/state', headers = {}, body } = call;
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text,
          challenge: response.headers['www-authenticate'] ?? '',
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test('answers programs on this machine', async () => {
  const listener = await listen('127.0.0.1');
  expect((await send(listener)).text).toBe(
    '{"collections":[{"name":"/plants","count":0,"kind":"collection","key":"id","isKept":true}]}',
  );
  expect((await send(listener, { path: `${listener.url}/__cloche/state` })).status).toBe(200);
});

test.each<Call>([
  { headers: { host: 'evil.example' } },
  { headers: { origin: 'http://evil.example' } },
  { headers: { 'sec-fetch-site': 'cross-site' } },
  { path: 'http://evil.example/__cloche/state' },
  { method: 'POST', path: '/__cloche/reset', headers: { origin: 'null' } },
])('answers no page of another origin: %j', async (call) => {
  const listener = await listen('127.0.0.1');
  const answered = await send(listener, call);
  expect(answered.status).toBe(403);
  expect(JSON.parse(answered.text)).toMatchObject({ code: 403, message: expect.stringMatching(/\.$/u) });
});

test('wants its token where other machines reach it', async () => {
  const listener = await listen('0.0.0.0', { control: { token: 's3cret' } });
  expect(await send(listener)).toMatchObject({ status: 401, challenge: 'Bearer realm="cloche control"' });
  expect((await send(listener, { headers: { authorization: 'Bearer s3cret' } })).status).toBe(200);
  expect(
    (await send(listener, { headers: { 'cloche-control-token': 's3cret', host: 'mock.example' } })).status,
  ).toBe(200);
});

test('reads nothing of who may not ask', async () => {
  const listener = await listen('0.0.0.0');
  // Nothing of it is ever sent.
  const headers = { 'content-type': 'application/json', 'content-length': '1000', expect: '100-continue' };
  expect((await send(listener, { method: 'POST', path: '/__cloche/reset', headers })).status).toBe(401);
});

test('says how to give a token where other machines reach it and there is none', async () => {
  const listener = await listen('0.0.0.0');
  expect((await send(listener)).text).toContain('--control-token');
});

test('never shows its token', async () => {
  const log: unknown[] = [];
  const listener = await listen('0.0.0.0', {
    control: { token: 's3cret-token' },
    log: (entry) => log.push(entry),
  });
  const headers = { 'cloche-control-token': 's3cret-token' };
  await send(listener, { headers });
  await send(listener, { path: '/plants', headers });
  await send(listener, { path: '/plants/s3cret-token', headers: { authorization: 'Bearer s3cret-token' } });
  const { text } = await send(listener, { path: '/__cloche/requests', headers });
  expect(JSON.parse(text)).toMatchObject({ requests: [{}, {}] });
  expect(text + JSON.stringify(log)).not.toContain('s3cret-token');
});

test('reads content that the contract would not, and no more than it says', async () => {
  const listener = await listen('127.0.0.1', { policy: { 'body-limit': { bytes: 100, status: 413 } } });
  const rows = Array.from({ length: 100 }, (_, index) => ({ id: index, name: `Plant ${index}` }));
  const headers = {
    'content-type': 'application/json',
    'transfer-encoding': 'chunked',
    expect: '100-continue',
  };
  const call = { method: 'POST', path: '/__cloche/state/import', headers };
  expect((await send(listener, { ...call, body: JSON.stringify({ '/plants': rows }) })).text).toBe(
    '{"added":100,"replaced":0}',
  );
  const tooLong = { 'content-type': 'application/json', 'content-length': String(mostControlBytes + 1) };
  expect((await send(listener, { ...call, headers: { ...tooLong, expect: '100-continue' } })).status).toBe(
    413,
  );
});
