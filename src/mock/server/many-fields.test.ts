import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { createProxyOpener } from '../../../fixtures/proxy/create-proxy-opener.ts';
import { createCloser } from '../../../fixtures/sockets/create-closer.ts';
import { createInspectedMock } from '../../inspector/create-inspector.ts';

const plantStore = fileURLToPath(new URL('../../../spec/plant-store.yaml', import.meta.url));
const source = fileURLToPath(new URL('../../', import.meta.url));
const closer = createCloser();
afterEach(() => closer.closeAll());
const { beforeHttp, beforeTcp } = createProxyOpener(closer);

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

test('passes every field of a request through the proxy, and answers 431 to more than it reads', async () => {
  const seen: string[] = [];
  const { port } = await beforeTcp(async (service) => {
    seen.push(await service.until(/\r\n\r\n/u));
    service.write('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
  });
  const head = 'GET / HTTP/1.1\r\nHost: a\r\n';
  for (const count of [...counts, 20_000]) {
    const [status] = await send(port, `${head}${padding(count)}Authorization: Bearer t\r\n`);
    const [came = ''] = seen.splice(0);
    expect([count, status]).toEqual([count, 204]);
    expect(came.split('a: b\r\n').length - 1).toBe(count);
    expect(came).toContain('\r\nAuthorization: Bearer t\r\n');
  }
  const [tooMany] = await send(port, `${head}${padding(150_000)}`);
  expect(tooMany).toBe(431);
});

test('passes every field of an answer through the proxy', async () => {
  const { port } = await beforeHttp((_, response) => {
    const fields = Array.from({ length: 1_200 }, (_field, index) => [`x-${index}`, 'b']);
    response.writeHead(200, [...fields, ['X-Last', 'came']].flat()).end();
  });
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect([response.status, response.headers.get('x-last')]).toEqual([200, 'came']);
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
