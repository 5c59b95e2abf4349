import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { createProxyOpener } from '../../../fixtures/proxy/create-proxy-opener.ts';
import { createCloser } from '../../../fixtures/sockets/create-closer.ts';
import { openProxy } from './proxy.ts';
import { fieldCounts, manyFields, sendHead } from '../../../fixtures/sockets/many-fields.ts';

const closer = createCloser();
afterEach(() => closer.closeAll());
const { open, beforeTcp, beforeHttp, dial } = createProxyOpener(closer);

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const getRoot = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

test('passes a request and its answer with their fields in order and spelling, those given twice included', async () => {
  let seen = '';
  const { port, taken, until } = await beforeTcp(async (service) => {
    seen = await service.until(/id":1\}/u);
    service.write(
      'HTTP/1.1 207 Made of Two\r\nx-b: 1\r\nSet-Cookie: a=1\r\nX-A: \u00e9\r\nset-cookie: b=2\r\nContent-Length: 2\r\nUpgrade: h2\r\n\r\n\u00ff\u0000',
    );
  });
  const client = dial(port);
  client.write(
    'POST /a%2Fb/../c?x=1&x=%zz HTTP/1.1\r\nHost: proxy\r\nx-LAST: 2\r\nAccept: a\r\nConnection: X-Hop\r\naccept: b\r\nX-Hop: 1\r\nContent-Length: 8\r\nKeep-Alive: timeout=9\r\n\r\n{"id":1}',
  );
  expect(await client.until(/\u00ff.$/su)).toBe(
    'HTTP/1.1 207 Made of Two\r\nx-b: 1\r\nSet-Cookie: a=1\r\nX-A: \u00e9\r\nset-cookie: b=2\r\nContent-Length: 2\r\n\r\n\u00ff\u0000',
  );
  expect(seen.replace(/Host: 127.0.0.1:\d+/u, 'Host: service').replace(/cloche-[\w-]+/u, 'cloche')).toBe(
    'POST /a%2Fb/../c?x=1&x=%zz HTTP/1.1\r\nHost: service\r\nx-LAST: 2\r\nAccept: a\r\naccept: b\r\nContent-Length: 8\r\nVia: 1.1 cloche\r\nConnection: keep-alive\r\n\r\n{"id":1}',
  );
  await until(1);
  expect(taken).toEqual([
    {
      number: 1,
      startedAt: expect.any(Number),
      isBesideChange: false,
      unjudged: undefined,
      framing: 'content-length',
      exchange: {
        request: {
          method: 'POST',
          target: '/a%2Fb/../c?x=1&x=%zz',
          headers: [
            ['x-LAST', '2'],
            ['Accept', 'a'],
            ['accept', 'b'],
          ],
          body: Buffer.from('{"id":1}'),
        },
        answer: {
          kind: 'response',
          response: {
            status: 207,
            headers: [
              ['x-b', '1'],
              ['Set-Cookie', 'a=1'],
              ['X-A', '\u00e9'],
              ['set-cookie', 'b=2'],
              ['Content-Length', '2'],
              ['Upgrade', 'h2'],
            ],
            body: Buffer.from([0xff, 0]),
          },
        },
        durationMs: expect.any(Number),
      },
    },
  ]);
});

test('puts the path prefix of the base URL before a target, and brings one in absolute form into origin form', async () => {
  const lines: string[] = [];
  const service = createHttpServer(({ method, url }, response) => {
    lines.push(`${method} ${url}`);
    response.end();
  });
  const { port, taken } = await open(`http://127.0.0.1:${await closer.listen(service)}/api/`);
  for (const target of ['/orders?a', 'http://elsewhere:99/orders', 'http://elsewhere?a', '*']) {
    const client = dial(port);
    client.write(`OPTIONS ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await client.until(/\r\n\r\n/u);
  }
  expect(lines).toEqual(['OPTIONS /api/orders?a', 'OPTIONS /api/orders', 'OPTIONS /api/?a', 'OPTIONS *']);
  expect(taken.map(({ exchange }) => exchange.request.target)).toEqual(['/orders?a', '/orders', '/?a', '*']);
});

test('adds no length and no field to a request that has no content, and names its exchange only on demand', async () => {
  let seen = '';
  const { port } = await beforeTcp(
    async (service) => {
      seen = await service.until(/\r\n\r\n/u);
      service.write(ok);
    },
    { mark: true },
  );
  const client = dial(port);
  client.write('PUT /a HTTP/1.1\r\nX-A: 1\r\n\r\n');
  expect(await client.until(/ok$/u)).toBe(
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nCloche-Exchange: 1\r\n\r\nok',
  );
  expect(seen).toMatch(/^PUT \/a HTTP\/1.1\r\nX-A: 1\r\nVia: 1.1 \S+\r\nConnection: keep-alive\r\n\r\n$/u);
});

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('answers 508 where its base URL leads back to it, itself or through another, and judges nothing of it', async () => {
  const first = await freePort();
  const one = await open(`http://127.0.0.1:${first}`, { port: first });
  expect((await fetch(`http://127.0.0.1:${first}/a`)).status).toBe(508);
  await one.until(2);
  expect(one.taken.map(({ unjudged }) => unjudged)).toEqual([
    'it had passed this proxy before, and was not forwarded',
    'the base URL leads back to this proxy',
  ]);
  const second = await freePort();
  const two = await open(`http://127.0.0.1:${second}`);
  await open(`http://127.0.0.1:${two.port}`, { port: second });
  const answer = await fetch(`http://127.0.0.1:${two.port}/a`);
  expect([answer.status, await answer.text()]).toEqual([
    508,
    expect.stringContaining('leads back to this proxy'),
  ]);
});

test('answers 502 in words where the service cannot be reached, and where it speaks no HTTP', async () => {
  const closed = createTcpServer();
  const port = await closer.listen(closed);
  await new Promise((resolve) => {
    closed.close(resolve);
  });
  const gone = await open(`http://127.0.0.1:${port}`, { mark: true });
  const response = await fetch(gone.url, { method: 'POST', body: 'a'.repeat(500_000) });
  expect([response.status, await response.text(), response.headers.get('cloche-exchange')]).toEqual([
    502,
    `cloche proxy has no answer to pass on: nothing listens on 127.0.0.1:${port}.\n`,
    '1',
  ]);
  expect(gone.taken.map(({ unjudged }) => unjudged)).toEqual(['the service could not be reached']);

  const odd = await beforeTcp(
    (service) => void service.until(/\r\n\r\n/u).then(() => service.write('SSH-2.0\r\n')),
  );
  const answer = await fetch(odd.url);
  expect(answer.status).toBe(502);
  expect(await answer.text()).toContain('what the service answered is no HTTP');
  expect(odd.taken.map(({ unjudged, exchange }) => [unjudged, exchange.answer])).toEqual([
    [undefined, { kind: 'not-http', reason: expect.any(String), received: Buffer.from('SSH-2.0\r\n') }],
  ]);
});

test('answers 400 to what is no request, and goes on', async () => {
  const { port } = await beforeHttp((_, response) => void response.end('ok'));
  const client = dial(port);
  client.write('nonsense\r\n\r\n');
  expect(await client.closed).toBe('ended');
  expect(client.text()).toMatch(
    /^HTTP\/1.1 400 Bad Request\r\n[^]*cloche proxy cannot read this as a request/u,
  );
  const next = dial(port);
  next.write(getRoot);
  await next.until(/ok/u);
});

test('speaks TLS to the service, with an authority of its own or with any certificate', async () => {
  const read = (name: string): string =>
    readFileSync(
      fileURLToPath(new URL(`../../../fixtures/tls/localhost.${name}.pem`, import.meta.url)),
      'utf8',
    );
  const server: Server = createTlsServer({ key: read('key'), cert: read('cert') }, (request, response) => {
    response.end(request.headers.host);
  });
  const baseUrl = `https://localhost:${await closer.listen(server)}`;
  const untrusted = await fetch((await open(baseUrl)).url);
  expect([untrusted.status, await untrusted.text()]).toEqual([
    502,
    expect.stringContaining('its certificate is self-signed: pass --ca FILE or --insecure'),
  ]);
  for (const options of [{ insecure: true }, { ca: read('cert') }]) {
    const { url } = await open(baseUrl, options);
    expect(await (await fetch(url)).text()).toBe(new URL(baseUrl).host);
  }
});

test('takes no more requests once it is closed, and lets what is under way end', async () => {
  const answering: (() => void)[] = [];
  const port = await closer.listen(
    createHttpServer((_, response) => void answering.push(() => response.end('ok'))),
  );
  const proxy = await openProxy({
    baseUrl: new URL(`http://127.0.0.1:${port}`),
    port: 0,
    host: '127.0.0.1',
    insecure: false,
    ca: undefined,
    judgeLimit: 1,
    mark: false,
    take: () => undefined,
  });
  const client = dial(Number(new URL(proxy.url).port));
  const idle = dial(Number(new URL(proxy.url).port));
  client.write(getRoot);
  await expect.poll(() => answering.length).toBe(1);
  const closed = proxy.close();
  await idle.closed;
  answering.forEach((answer) => answer());
  await client.until(/ok/u);
  await Promise.all([closed, client.closed]);
  await expect(fetch(proxy.url)).rejects.toThrow('fetch failed');
});

test('has counted what it cuts off by the time that it is closed', async () => {
  let asked = 0;
  const port = await closer.listen(
    createHttpServer((request) => {
      asked += 1;
      request.resume();
    }),
  );
  const taken: (string | undefined)[] = [];
  const proxy = await openProxy({
    baseUrl: new URL(`http://127.0.0.1:${port}`),
    port: 0,
    host: '127.0.0.1',
    insecure: false,
    ca: undefined,
    judgeLimit: 1,
    mark: false,
    closeMs: 0,
    take: ({ unjudged }) => void taken.push(unjudged),
  });
  const clients = Array.from({ length: 3 }, () => dial(Number(new URL(proxy.url).port)));
  clients.forEach((client) => client.write(getRoot));
  await expect.poll(() => asked).toBe(3);
  await proxy.close();
  expect(taken).toEqual(Array.from({ length: 3 }, () => 'the proxy was stopped before its end'));
});

test('says that a port is taken', async () => {
  const port = await closer.listen(createTcpServer());
  await expect(open('http://127.0.0.1:1', { port })).rejects.toThrow(
    `Failed to listen on "127.0.0.1:${port}": another program has the port.`,
  );
});

test('forwards every field of a request, and answers 431 to more bytes than it reads', async () => {
  const seen: string[] = [];
  const { port } = await beforeTcp(async (service) => {
    seen.push(await service.until(/\r\n\r\n/u));
    service.write('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
  });
  const head = 'GET / HTTP/1.1\r\nHost: a\r\n';
  for (const count of [...fieldCounts, 20_000]) {
    const status = await sendHead(port, `${head}${manyFields(count)}Authorization: Bearer t\r\n`);
    const [came = ''] = seen.splice(0);
    expect([count, status]).toEqual([count, 204]);
    expect(came.split('a: b\r\n').length - 1).toBe(count);
    expect(came).toContain('\r\nAuthorization: Bearer t\r\n');
  }
  expect(await sendHead(port, `${head}${manyFields(150_000)}`)).toBe(431);
});

test('forwards every field of a response', async () => {
  const { port } = await beforeHttp((_, response) => {
    const fields = Array.from({ length: 1_200 }, (_field, index) => [`x-${index}`, 'b']);
    response.writeHead(200, [...fields, ['X-Last', 'came']].flat()).end();
  });
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect([response.status, response.headers.get('x-last')]).toEqual([200, 'came']);
});
