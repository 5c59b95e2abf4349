import { request } from 'node:http';
import { expect, test, afterEach } from 'vitest';
import { createMock } from '../create-mock.ts';
import type { Reach } from '../message.ts';
import type { Listener, Mock, MockOptions } from '../mock.ts';
import { createGuard, isForwarded } from './access.ts';
import { mostControlBytes } from './operation.ts';

/** What a guard answers, or 0 where it lets a request pass. */
function ask(
  fields: Readonly<Record<string, string>>,
  {
    token,
    reach = 'loopback',
    target = '/__cloche/state',
  }: { token?: string; reach?: Reach; target?: string } = {},
): number {
  const fieldList = Object.entries(fields).flat();
  const head = { method: 'GET', target, header: (name: string) => fields[name], fields: () => fieldList };
  return createGuard(token)(head, reach)?.status ?? 0;
}

const here = { host: '127.0.0.1:4010' };

test.each([
  '127.0.0.1',
  '127.0.0.1:4010',
  '127.8.9.1:80',
  'localhost:4010',
  'LOCALHOST',
  'mock.localhost:4010',
  '[::1]:4010',
])('lets the host %s pass', (host) => {
  expect(ask({ host })).toBe(0);
});

test.each([
  '',
  'evil.example',
  'evil.example:4010',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'notlocalhost',
  'evil-localhost:4010',
  '.localhost',
  '10.0.0.1:4010',
  '0.0.0.0:4010',
  '[::]:4010',
  '[::1].evil.example',
  '127.0.0.1@evil.example',
  '127.0.0.1:4010:80',
  'localhost, evil.example',
])('refuses the host %j', (host) => {
  expect(ask({ host })).toBe(403);
});

test('refuses a request that names no host', () => {
  expect(ask({})).toBe(403);
});

test('goes by the host of a target that is a whole URL', () => {
  expect(ask(here, { target: 'http://evil.example/__cloche/state' })).toBe(403);
  expect(ask({ host: 'evil.example' }, { target: 'http://localhost:1/__cloche/state' })).toBe(0);
});

test.each([
  ['http://127.0.0.1:4010', 0],
  ['https://127.0.0.1:4010', 0],
  ['http://127.0.0.1:3000', 403],
  ['http://127.0.0.1', 403],
  ['http://localhost:4010', 403],
  ['http://evil.example', 403],
  ['http://127.0.0.1:4010.evil.example', 403],
  ['http://127.0.0.1:4010@evil.example', 403],
  ['file://127.0.0.1:4010', 403],
  ['null', 403],
  ['', 403],
])('answers the origin %j with %i', (origin, status) => {
  expect(ask({ ...here, origin })).toBe(status);
});

test('takes a port that the scheme has anyway for the same', () => {
  expect(ask({ host: 'localhost:80', origin: 'http://localhost' })).toBe(0);
  expect(ask({ host: 'localhost', origin: 'http://localhost:80' })).toBe(0);
});

test.each([
  ['same-origin', 0],
  ['none', 0],
  ['same-site', 403],
  ['cross-site', 403],
  ['new-word', 403],
])('answers Sec-Fetch-Site %s with %i', (site, status) => {
  expect(ask({ ...here, 'sec-fetch-site': site })).toBe(status);
});

test.each<[Readonly<Record<string, string>>, number]>([
  [{ authorization: 'Bearer s3cret' }, 0],
  [{ authorization: 'bearer s3cret' }, 0],
  [{ 'cloche-control-token': 's3cret' }, 0],
  [{ authorization: 'Bearer of-the-service', 'cloche-control-token': 's3cret' }, 0],
  [{}, 401],
  [{ authorization: 'Bearer s3cre' }, 401],
  [{ authorization: 'Bearer s3cret5' }, 401],
  [{ authorization: 'Bearer ' }, 401],
  [{ authorization: 'Basic s3cret' }, 401],
  [{ 'cloche-control-token': '' }, 401],
])('where other machines reach it, answers %j with %i', (fields, status) => {
  expect(ask({ host: 'mock.example', ...fields }, { token: 's3cret', reach: 'network' })).toBe(status);
});

test.each<Readonly<Record<string, string>>>([
  here,
  { ...here, authorization: 'Bearer undefined' },
  { ...here, 'cloche-control-token': '' },
])('where other machines reach it and there is no token, refuses %j', (fields) => {
  expect(ask(fields, { reach: 'network' })).toBe(401);
});

test('takes a token in place of a host of its own', () => {
  expect(ask({ host: 'mock.example', 'cloche-control-token': 's3cret' }, { token: 's3cret' })).toBe(0);
});

test('refuses a wrong token even on this machine', () => {
  expect(ask({ ...here, 'cloche-control-token': 'wrong' }, { token: 's3cret' })).toBe(401);
  // That of the service is no business of it.
  expect(ask({ ...here, authorization: 'Bearer of-the-service' }, { token: 's3cret' })).toBe(0);
});

test('lets pass what comes from the process itself', () => {
  expect(ask({ host: 'api.example', origin: 'https://shop.example' }, { reach: 'in-process' })).toBe(0);
});

test('wants a token of what a proxy hands on from another machine', () => {
  const shown = { host: 'localhost:4010', 'x-forwarded-for': '203.0.113.9' };
  expect(ask(shown)).toBe(401);
  expect(ask(shown, { token: 's3cret' })).toBe(401);
  expect(ask({ ...shown, authorization: 'Bearer s3cret' }, { token: 's3cret' })).toBe(0);
  expect(ask({ ...shown, 'x-forwarded-for': '127.0.0.1' })).toBe(0);
});

function isForwardedWith(fields: Readonly<Record<string, string>>): boolean {
  return isForwarded({
    method: 'GET',
    target: '/__cloche/state',
    header: (name) => fields[name],
    fields: () => Object.entries(fields).flat(),
  });
}

test.each<Readonly<Record<string, string>>>([
  { 'x-forwarded-for': '203.0.113.9' },
  { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' },
  { 'x-forwarded-for': '127.0.0.1.evil.example' },
  { 'x-forwarded-for': 'unknown' },
  { 'x-forwarded-host': 'mock.example' },
  { 'x-forwarded-host': 'localhost:1, mock.example' },
  { 'x-real-ip': '2001:db8::1' },
  { 'Fly-Client-IP': '203.0.113.9' },
  { 'True-Client-IP': '203.0.113.9' },
  { 'CF-Connecting-IP': '203.0.113.9' },
  { 'CF-Connecting-IPv6': '2001:db8::1' },
  { 'X-Azure-ClientIP': '203.0.113.9' },
  { 'X-Envoy-External-Address': '203.0.113.9' },
  { 'X-AppEngine-User-IP': '203.0.113.9' },
  { 'X-Vercel-Forwarded-For': '203.0.113.9' },
  { 'CloudFront-Viewer-Address': '203.0.113.9:46532' },
  { 'X-Original-Host': 'mock.example' },
  { forwarded: 'for=203.0.113.9' },
  { forwarded: 'for="[::1]", For="[2001:db8::1]:47011"' },
  { forwarded: 'for=127.0.0.1;proto=https;host=mock.example' },
  { forwarded: 'for=_hidden' },
])('knows a request from another machine by %j', (fields) => {
  expect(isForwardedWith(fields)).toBe(true);
});

test.each<Readonly<Record<string, string>>>([
  {},
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-for': '::1, ::ffff:127.0.0.1, 127.0.0.1:5000' },
  { 'x-forwarded-host': 'localhost:5173', 'x-forwarded-proto': 'http' },
  { 'X-Client-IP': '127.0.0.1', 'X-Skip-Address': 'Main Street 1', 'X-Zip': '8000' },
  { forwarded: 'for="[::1]:4711";host="localhost:5173";by=203.0.113.43' },
])('takes a request that a proxy on this machine hands on for one of this machine: %j', (fields) => {
  expect(isForwardedWith(fields)).toBe(false);
});

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
