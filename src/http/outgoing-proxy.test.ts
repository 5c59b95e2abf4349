import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createForwardProxy } from '../../fixtures/proxy/create-forward-proxy.ts';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';
import { createUrlSends, request } from '../../fixtures/sockets/url-sends.ts';
import { chooseProxy, proxySecrets } from './outgoing-proxy.ts';
import { createSocketSend } from './raw-client.ts';
import type { Send } from './message.ts';

const closer = createCloser();
const { sendTo } = createUrlSends(closer);
afterEach(() => closer.closeAll());
const [key, cert = ''] = ['key', 'cert'].map((part) =>
  readFileSync(new URL(`../../fixtures/tls/localhost.${part}.pem`, import.meta.url), 'utf8'),
);

describe('the proxy of a base URL', () => {
  const choose = (url: string, env: Readonly<Record<string, string>>, given?: string): string | undefined =>
    chooseProxy(new URL(url), given, env)?.host;

  test('is the given one, else that of the environment by the scheme of the URL', () => {
    const env = { HTTP_PROXY: 'http://a:1', HTTPS_PROXY: 'b:2', NO_PROXY: 'c' };
    expect(choose('http://h', env)).toBe('a:1');
    expect(choose('https://h', env)).toBe('b:2');
    expect(choose('http://h', { ...env, http_proxy: 'https://d:3' })).toBe('d:3');
    expect(choose('http://h', env, 'http://e:4')).toBe('e:4');
    expect(choose('http://c', env)).toBeUndefined();
    expect(choose('http://c', env, 'http://e:4')).toBe('e:4');
    expect(choose('http://127.0.0.1', env)).toBe('a:1');
    expect(choose('http://h', { HTTP_PROXY: '' })).toBeUndefined();
  });

  test.each([
    ['*', 'http://anything', true],
    ['example.com', 'http://example.com', true],
    ['.example.com, x', 'http://api.example.com:8080', true],
    ['*.example.com', 'http://api.EXAMPLE.com', true],
    ['example.com', 'http://notexample.com', false],
    ['example.com:8080', 'http://example.com:8080', true],
    ['example.com:8080', 'http://example.com', false],
    ['example.com:80', 'http://example.com', true],
    ['127.0.0.1', 'http://127.0.0.1:8080', true],
    ['0.0.1', 'http://127.0.0.1:8080', false],
    ['10.0.0.0/8', 'http://10.1.2.3', true],
    ['10.0.0.0/8', 'http://11.1.2.3', false],
    ['10.0.0.0/99', 'http://10.1.2.3', false],
    ['::1', 'http://[::1]:8080', true],
    ['fd00::/8', 'http://[fd12::1]', true],
    ['', 'http://h', false],
  ])('NO_PROXY=%s names %s: %s', (entry, url, isNamed) => {
    expect(choose(url, { HTTP_PROXY: 'http://a:1', NO_PROXY: entry })).toBe(isNamed ? undefined : 'a:1');
  });

  test('is rejected without its credentials if it is no http or https URL', () => {
    const failure = /Failed to use the proxy of "--proxy socks5:\/\/\*\*\*@h:1": it is no http or https URL/u;
    expect(() => choose('http://h', {}, 'socks5://me:secret@h:1')).toThrow(failure);
    expect(() => choose('http://h', { HTTP_PROXY: 'http://' })).toThrow(/"HTTP_PROXY http:\/\/"/u);
  });

  test('has a secret password, in each of its forms', () => {
    expect(proxySecrets(new URL('http://me:p%40ss@h'))).toEqual(['p%40ss', 'p@ss']);
    expect(proxySecrets(new URL('http://h'))).toEqual([]);
  });
});

/** Sends over a client, which the closer closes, and over a raw socket. */
function bothTo(url: string, proxy: URL, ca?: string): readonly Send[] {
  const trust = ca === undefined ? {} : { ca };
  return [
    sendTo(url, { proxy, ...trust }),
    createSocketSend({ baseUrl: new URL(url), timeoutMs: 5000, proxy, ...trust }),
  ];
}

test('http: requests are forwarded, and those of raw sockets pass a tunnel', async () => {
  const targets: string[] = [];
  const port = await closer.listen(
    createHttpServer((incoming, outgoing) => {
      targets.push(`${incoming.method} ${incoming.url} ${incoming.headers.host}`);
      outgoing.end('ok');
    }),
  );
  const { server, seen } = createForwardProxy({ credentials: 'me:p@ss' });
  const proxy = new URL(`http://me:p%40ss@127.0.0.1:${await closer.listen(server)}`);
  const url = `http://127.0.0.1:${port}`;
  for (const send of bothTo(`${url}/v1`, proxy)) {
    expect(await send(request({ target: '/a?b=1' }))).toMatchObject({ response: { status: 200 } });
  }
  // undici sends no second Host.
  const [client] = bothTo(`${url}/v1`, proxy);
  const strange = request({ target: '/c', headers: [['Connection', 'close']] });
  expect(await client?.(strange)).toMatchObject({ response: { status: 200 } });
  expect(seen).toEqual([`GET ${url}/v1/a?b=1`, `CONNECT 127.0.0.1:${port}`, `GET ${url}/v1/c`]);
  expect(targets).toEqual([
    `GET /v1/a?b=1 127.0.0.1:${port}`,
    `GET /v1/a?b=1 127.0.0.1:${port}`,
    `GET /v1/c 127.0.0.1:${port}`,
  ]);
});

test('https: requests pass a tunnel, with the certificate of the service', async () => {
  const port = await closer.listen(
    createHttpsServer({ key, cert }, (_incoming, outgoing) => outgoing.end('ok')),
  );
  const { server, seen } = createForwardProxy();
  const proxy = new URL(`http://127.0.0.1:${await closer.listen(server)}`);
  for (const send of bothTo(`https://localhost:${port}`, proxy, cert)) {
    expect(await send(request())).toMatchObject({ response: { status: 200 } });
  }
  for (const send of bothTo(`https://localhost:${port}`, proxy)) {
    expect(await send(request())).toMatchObject({
      reason: expect.stringContaining('its certificate is self-signed'),
    });
  }
  expect(seen).toEqual(Array.from({ length: 4 }, () => `CONNECT localhost:${port}`));
});

test('a failure of the proxy is not one of the service', async () => {
  const [unused, strict, closed] = await Promise.all([
    closer.listen(createTcpServer()),
    closer.listen(createForwardProxy({ credentials: 'me:pass' }).server),
    closer.listen(createForwardProxy({ tunnels: false }).server),
  ]);
  const [forwarded] = bothTo(`http://127.0.0.1:${unused}`, new URL(`http://127.0.0.1:${strict}`));
  expect(await forwarded?.(request())).toEqual({
    kind: 'unreachable',
    reason: `the proxy 127.0.0.1:${strict} answered a request with 407: write its credentials into its URL, http://user:password@…`,
    remedy: 'Correct the proxy, or leave it out',
  });
  for (const send of bothTo('https://127.0.0.1:1', new URL(`http://127.0.0.1:${closed}`))) {
    expect(await send(request())).toEqual({
      kind: 'unreachable',
      reason: `the proxy 127.0.0.1:${closed} answered CONNECT 127.0.0.1:1 with 403`,
      remedy: 'Correct the proxy, or leave it out',
    });
  }
  await closer.closeAll();
  const gone = new URL(`http://127.0.0.1:${strict}`);
  for (const send of [...bothTo('http://127.0.0.1:1', gone), ...bothTo('https://127.0.0.1:1', gone)]) {
    expect(await send(request())).toEqual({
      kind: 'unreachable',
      reason: `nothing listens on the proxy 127.0.0.1:${strict}`,
      remedy: 'Correct the proxy, or leave it out',
    });
  }
});

test.each([
  [{ https_proxy: 'http://127.0.0.1:1' }, undefined, 'https_proxy', 'Correct https_proxy, or name the host'],
  [{ HTTPS_PROXY: 'http://127.0.0.1:1' }, undefined, 'HTTPS_PROXY', 'service in NO_PROXY'],
  [{}, 'http://127.0.0.1:1', '--proxy', 'Correct --proxy, or leave it out'],
])('a proxy that is not there is named with its source: %j', async (env, given, source, remedy) => {
  const url = 'https://127.0.0.1:1';
  const proxy = chooseProxy(new URL(url), given, env);
  if (proxy === undefined) throw new Error('there is no proxy');
  for (const send of bothTo(url, proxy)) {
    expect(await send(request())).toEqual({
      kind: 'unreachable',
      reason: `nothing listens on the proxy 127.0.0.1:1 of ${source}`,
      remedy: expect.stringContaining(remedy),
    });
  }
});
