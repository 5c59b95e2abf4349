import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { createProxyOpener } from '../../../fixtures/proxy/create-proxy-opener.ts';
import { createCloser } from '../../../fixtures/sockets/create-closer.ts';
import { createInspectedMock } from '../../inspector/create-inspected-mock.ts';

const plantStore = fileURLToPath(new URL('../../../spec/plant-store.yaml', import.meta.url));
const source = fileURLToPath(new URL('../../', import.meta.url));
const closer = createCloser();
afterEach(() => closer.closeAll());
const { beforeHttp } = createProxyOpener(closer);

async function openMock(): Promise<number> {
  const mock = await createInspectedMock(plantStore, { tokens: ['t'] });
  closer.closeLater(() => mock.close());
  return Number(new URL((await mock.listen()).url).port);
}

/** As many fields as are wanted, of two bytes each as Node counts them. */
const padding = (count: number): string => 'a:b\r\n'.repeat(count);

/** Sends a request, and gives the status and the content of the answer. */
async function send(port: number, head: string): Promise<readonly [status: number, content: string]> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let text = '';
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(`${head}Connection: close\r\n\r\n`, 'latin1');
  await once(socket, 'close');
  const [first = '', content = ''] = text.split('\r\n\r\n');
  return [Number(first.slice(9, 12)), content];
}

/** Below, at and past a thousand, where Node stops to read by itself; 8,000 have about as many bytes as are read. */
const counts = [0, 900, 997, 998, 999, 1_000, 1_001, 1_500, 8_000];

test.each([
  ['X-Forwarded-For: 10.0.0.1', 401],
  ['Forwarded: for=10.0.0.1', 401],
  ['Origin: http://elsewhere.example', 403],
  ['Sec-Fetch-Site: cross-site', 403],
])('guards the control interface from who sends "%s" behind any number of fields', async (field, status) => {
  const port = await openMock();
  const head = `GET /__cloche/state HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`;
  for (const count of counts) {
    const [allowed] = await send(port, `${head}${padding(count)}`);
    const [guarded] = await send(port, `${head}${padding(count)}${field}\r\n`);
    expect([count, allowed, guarded]).toEqual([count, 200, status]);
  }
  const [tooMany] = await send(port, `${head}${padding(9_000)}${field}\r\n`);
  expect(tooMany).toBe(431);
});

test('finds the credentials of a request behind any number of fields', async () => {
  const port = await openMock();
  const head = `POST /plants HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 0\r\n`;
  for (const count of counts) {
    const [status] = await send(port, `${head}${padding(count)}Authorization: Bearer t\r\n`);
    // It is let in, and lacks a body.
    expect([count, status]).toEqual([count, 400]);
  }
});

test('passes every field through the proxy, both ways, and answers 431 to more than it reads', async () => {
  const { port } = await beforeHttp((request, response) => {
    // A server of Node's own reads a thousand.
    const answered = request.headers['x-answered'] ?? '0';
    const fields = Array.from({ length: Number(answered) }, (_, index) => [`x-${index}`, 'b']);
    response.writeHead(200, [...fields, ['X-Last', 'came'], ['Content-Length', '8']].flat());
    response.end(String(request.headers.authorization));
  });
  const head = 'GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer t\r\n';
  for (const count of [0, 900, 990]) {
    expect(await send(port, `${head}${padding(count)}`)).toEqual([200, 'Bearer t']);
  }
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'X-Answered': '1200' } });
  expect([response.status, response.headers.get('x-last')]).toEqual([200, 'came']);
  const [tooMany] = await send(port, `${head}${padding(150_000)}`);
  expect(tooMany).toBe(431);
});

test('reads every field wherever it opens a server', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/u.test(file),
  );
  const opening = files.filter((file) => /\bcreateServer\(/u.test(readFileSync(`${source}/${file}`, 'utf8')));
  expect(opening.length).toBeGreaterThan(1);
  const cutting = opening.filter(
    (file) => !readFileSync(`${source}/${file}`, 'utf8').includes('maxHeadersCount = 0'),
  );
  expect(cutting).toEqual([]);
});
