import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { createMock } from '../create-mock.ts';
import type { RequestLogEntry } from '../log/log-line.ts';
import type { Mock, MockOptions } from '../mock.ts';

const plantStore = fileURLToPath(new URL('../../../spec/plant-store.yaml', import.meta.url));
const contract = await loadContract(plantStore, { followReferences: false });
const opened: Mock[] = [];
afterEach(() => Promise.all(opened.splice(0).map((mock) => mock.close())));

async function openMock(options: MockOptions = {}): Promise<string> {
  const mock = await createMock(contract, { tokens: ['t'], ...options });
  opened.push(mock);
  return (await mock.listen()).url;
}

/** Sends bytes, and gives all that comes back until the other side closes. */
async function exchange(url: string, bytes: string): Promise<string> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  let text = '';
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return text;
}

const longField = `X-Long: ${'a'.repeat(200_000)}`;

test.each([
  ['this is no HTTP', 'this is no HTTP\r\n\r\n', 400, 'not-http', /"Invalid method encountered"/u],
  ['TLS', '\u0016\u0003\u0001\u0002\0\u0001', 400, 'not-http', /as TLS does; the mock is at http:/u],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'not-http', /it is HTTP\/2/u],
  ['no Host', 'POST /plants HTTP/1.1\r\n\r\n', 400, 'invalid-host', /one Host header/u],
  ['two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n', 400, 'invalid-host', /one Host header/u],
  ['no name in Host', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n', 400, 'invalid-host', /one Host header/u],
  ['long fields', `GET / HTTP/1.1\r\n${longField}`, 431, 'header-fields-too-large', /header fields/u],
  [
    'two lengths',
    'POST /plants HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
    400,
    'not-http',
    /Transfer-Encoding can't be present with Content-Length/u,
  ],
])(
  'answers %s with an error that any page may read, logs it, and closes',
  async (_, bytes, status, fault, message) => {
    const entries: RequestLogEntry[] = [];
    const text = await exchange(await openMock({ log: (entry) => entries.push(entry) }), bytes);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `, 'u'));
    expect(head).toContain('\r\nContent-Type: application/json\r\n');
    expect(head).toContain('\r\nAccess-Control-Allow-Origin: *\r\n');
    expect(head).toContain(`\r\nCloche-Undeclared: ${fault}\r\n`);
    expect(head).toMatch(/\r\nConnection: close(?:\r\n|$)/u);
    expect(JSON.parse(body)).toEqual({ error: status, message: expect.stringMatching(message) });
    expect(entries).toMatchObject([{ status, condition: fault, undeclared: fault }]);
  },
);

test('names in the log what has no Host, and says - of what is no request', async () => {
  const entries: RequestLogEntry[] = [];
  const url = await openMock({ log: (entry) => entries.push(entry) });
  await exchange(url, 'POST /plants HTTP/1.1\r\n\r\n');
  await exchange(url, 'nonsense\r\n\r\n');
  expect(entries).toMatchObject([
    { method: 'POST', target: '/plants' },
    { method: '-', target: '-' },
  ]);
});

test('takes a request of HTTP/1.0 without a Host, and one whose Host is empty', async () => {
  const url = await openMock();
  expect(await exchange(url, 'GET /plants HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 405 /u);
  expect(await exchange(url, 'GET /plants HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 405 /u,
  );
});

test('answers CONNECT as a method that is not declared, and logs it', async () => {
  const entries: RequestLogEntry[] = [];
  const url = await openMock({ log: (entry) => entries.push(entry) });
  const text = await exchange(url, 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n');
  expect(text).toMatch(/^HTTP\/1\.1 404 [^]*Cloche-Undeclared: other-operations[^]*Connection: close/u);
  expect(entries).toMatchObject([{ method: 'CONNECT', target: 'example.org:443', status: 404 }]);
});

const valid = (id: number): string => {
  const body = JSON.stringify({ id, name: 'Basil' });
  const head =
    'POST /plants HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer t\r\nContent-Type: application/json';
  return `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};
const statuses = (text: string): readonly string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+) /gu)].map(([, status = '']) => status);

test.each([
  ['none', [], ['400']],
  ['one', [valid(1)], ['200', '400']],
  ['three', [valid(1), valid(2), valid(3)], ['200', '200', '200', '400']],
  ['one without a token', [valid(1).replace('Bearer t', 'Bearer x')], ['401', '400']],
  ['one that is delayed', [valid(1).replace('Host: a', 'Host: a\r\nCloche-Fault: delay=20')], ['200', '400']],
])('answers what is no HTTP behind all requests that came with it: %s', async (_, before, expected) => {
  const entries: RequestLogEntry[] = [];
  const url = await openMock({ log: (entry) => entries.push(entry) });
  expect(statuses(await exchange(url, `${before.join('')}\0\u0001no HTTP\r\n\r\n`))).toEqual(expected);
  expect(entries.length).toBe(expected.length);
});

test.each([
  ['BREW /plants HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  ['BREW /plants HTTP/1.0\r\n\r\n', 405],
  ['POSTER /plants HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  ['post /plants HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}', 405],
  ['\r\nBREW /plants HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  ['BREW /nothing HTTP/1.1\r\nHost: a\r\n\r\n', 404],
  ['BREW /plants HTTP/1.1\r\n\r\n', 400],
  ['BREW /plants HTTP/1.1\r\nHost: a\r\nno field\r\n\r\n', 400],
  ['BREW /plants HTTP/3.1\r\nHost: a\r\n\r\n', 400],
  ['BREW /plants\r\n\r\n', 400],
  ['B(EW /plants HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  [`BREW /plants HTTP/1.1\r\nHost: a\r\n${longField}\r\n\r\n`, 431],
])('answers a method that nobody has registered as one that is not declared: %j', async (bytes, status) => {
  const entries: RequestLogEntry[] = [];
  const url = await openMock({ log: (entry) => entries.push(entry) });
  const text = await exchange(url, bytes);
  expect(statuses(text)).toEqual([String(status)]);
  expect(text.includes('\r\nAllow: POST, OPTIONS\r\n')).toBe(status === 405);
  expect(text).toContain('\r\nConnection: close\r\n');
  const [method = ''] = bytes.trim().split(' ', 1);
  expect(entries).toMatchObject([{ status, method: status === 405 || status === 404 ? method : '-' }]);
});

test('reads a method that nobody has registered wherever its bytes are parted, and after others', async () => {
  const url = await openMock();
  const bytes = `${valid(1)}BREW /plants HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  const { port, hostname } = new URL(url);
  for (const at of [valid(1).length, valid(1).length + 2, valid(1).length + 12, bytes.length - 1]) {
    const socket = connect({ port: Number(port), host: hostname, noDelay: true }).setEncoding('latin1');
    let text = '';
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.write(bytes.slice(0, at));
    await once(socket, 'data');
    socket.write(bytes.slice(at));
    await once(socket, 'close');
    expect([at, statuses(text).at(-1)]).toEqual([at, '405']);
  }
});

test('answers a request that would be upgraded, or expects what it does not know, as any other', async () => {
  const url = await openMock();
  for (const headers of [
    { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' },
    { expect: 'more' },
  ]) {
    const request = httpRequest(`${url}/plants`, { headers });
    request.end();
    const [response] = await once(request, 'response');
    response.resume();
    expect(response.statusCode).toBe(405);
  }
});

test('stays up where its log fails', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  let fails = true;
  const url = await openMock({
    log() {
      if (fails) throw new Error('the disk is full');
    },
  });
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  expect(await exchange(url, 'nonsense\r\n\r\n')).toBe('');
  expect(await exchange(url, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')).toBe('');
  expect(warn.mock.calls.map(([warning]) => String(warning))).toEqual(
    Array(3).fill('Error: the disk is full'),
  );
  fails = false;
  expect((await fetch(url)).status).toBe(404);
  warn.mockRestore();
});
