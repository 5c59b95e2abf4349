import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { expect, test, afterEach } from 'vitest';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';
import { createUrlSend, type UrlSendOptions } from './client.ts';
import { describeAnswer } from './failures.ts';
import type { HeaderList, Answer, HttpRequest, Send } from './message.ts';
import { createSocketSend } from './raw-client.ts';

const json: HeaderList = [['Content-Type', 'application/json']];

function describeBody(body: Uint8Array | string, headers = json): string {
  return describeAnswer({ kind: 'response', response: { status: 200, headers, body: Buffer.from(body) } });
}

test('says status, media type and content on one line', () => {
  expect(describeBody('{"id":1}')).toBe('200 application/json “{"id":1}”');
  expect(describeBody('a\r\nb\0\u202E', [])).toBe('200 without Content-Type “a⏎b\\u{0}\\u{202e}”');
  expect(describeBody('')).toBe('200 without content');
  expect(describeBody(Buffer.from([0xff, 0xfe]))).toBe('200 application/json (2 bytes that are not UTF-8)');
});

test('shortens long content between characters', () => {
  expect(describeBody('🌱'.repeat(200))).toBe(`200 application/json “${'🌱'.repeat(120)}…” (800 bytes)`);
});

test('shortens content of more characters than an array can hold', () => {
  const body = Buffer.alloc(140_000_000, ' ');
  expect(describeBody(body)).toBe(`200 application/json “${' '.repeat(120)}…” (140000000 bytes)`);
});

test('says what came where there is no response', () => {
  const received = Buffer.from('HTTP/1.1 2');
  expect(describeAnswer({ kind: 'timed-out', afterMs: 5000, received: new Uint8Array() })).toBe(
    'no whole answer within 5000 ms (nothing came)',
  );
  expect(describeAnswer({ kind: 'dropped', reason: 'the connection was closed', received })).toBe(
    'the connection was closed (what came: “HTTP/1.1 2”)',
  );
  expect(describeAnswer({ kind: 'not-http', reason: 'it is odd', received })).toBe(
    'not HTTP/1.1: it is odd (what came: “HTTP/1.1 2”)',
  );
  expect(describeAnswer({ kind: 'unreachable', reason: 'nothing listens on localhost:1' })).toBe(
    'not reached: nothing listens on localhost:1',
  );
});

const closer = createCloser();

afterEach(() => closer.closeAll());

function sendTo(baseUrl: string, options: Partial<UrlSendOptions> = {}): Send {
  const urlSend = createUrlSend({ baseUrl: new URL(baseUrl), connections: 1, timeoutMs: 5000, ...options });
  closer.closeLater(() => urlSend.close());
  return urlSend.send;
}

function request(parts: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', target: '/', headers: [], body: undefined, ...parts };
}

function responseOf(answer: Answer): { status: number; headers: unknown; text: string } {
  if (answer.kind !== 'response') throw new Error(`no response: ${JSON.stringify(answer)}`);
  const { status, headers, body } = answer.response;
  return { status, headers, text: Buffer.from(body).toString() };
}

test('says in words why a service is not reached', async () => {
  const port = await closer.listen(createTcpServer());
  await closer.closeAll();
  expect(await sendTo(`http://127.0.0.1:${port}`)(request())).toEqual({
    kind: 'unreachable',
    reason: `nothing listens on 127.0.0.1:${port}`,
  });
  expect(await sendTo('http://no-such-host.invalid')(request())).toMatchObject({
    kind: 'unreachable',
    reason: expect.stringContaining('the host name of no-such-host.invalid'),
  });
});

const certificate = readFileSync(new URL('../../fixtures/tls/localhost.cert.pem', import.meta.url), 'utf8');

async function httpsPort(): Promise<number> {
  const key = readFileSync(new URL('../../fixtures/tls/localhost.key.pem', import.meta.url), 'utf8');
  return closer.listen(
    createHttpsServer({ key, cert: certificate }, (_incoming, outgoing) => outgoing.end('ok')),
  );
}

test('refuses a self-signed certificate unless told to trust it', async () => {
  const url = `https://localhost:${await httpsPort()}`;
  expect(await sendTo(url)(request())).toEqual({
    kind: 'unreachable',
    reason: 'its certificate is self-signed: pass --ca FILE or --insecure',
  });
  expect(responseOf(await sendTo(url, { ca: certificate })(request())).text).toBe('ok');
  expect(responseOf(await sendTo(url, { insecure: true })(request())).text).toBe('ok');
});

test('says that a certificate is for another host, and that a service does not speak TLS', async () => {
  const other = sendTo(`https://127.0.0.1:${await httpsPort()}`, { ca: certificate });
  expect(await other(request())).toMatchObject({ reason: expect.stringContaining('is for another host') });
  const plainPort = await closer.listen(createHttpServer());
  expect(await sendTo(`https://127.0.0.1:${plainPort}`)(request())).toMatchObject({
    reason: expect.stringContaining('does not speak TLS'),
  });
});

test('refuses a file without a certificate', () => {
  expect(() => sendTo('https://localhost', { ca: 'garbage' })).toThrow(
    'Failed to read the certificate of "--ca": the file holds no certificate in PEM form.',
  );
});

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'reports a client certificate that %s requires, and presents the given one',
  async (version) => {
    const read = (name: string): string =>
      readFileSync(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url), 'utf8');
    const server = createHttpsServer(
      {
        key: read('localhost.key'),
        cert: read('localhost.cert'),
        ca: read('client.cert'),
        requestCert: true,
        rejectUnauthorized: true,
        maxVersion: version,
      },
      (_request, response) => response.end(),
    );
    const baseUrl = `https://localhost:${await closer.listen(server)}`;
    const reason = expect.stringContaining('it may require a client certificate');
    const viaSocket = createSocketSend({ baseUrl: new URL(baseUrl), timeoutMs: 5000, insecure: true });
    for (const send of [sendTo(baseUrl, { insecure: true }), viaSocket]) {
      expect(await send(request())).toEqual({ kind: 'unreachable', reason });
    }
    const client = { insecure: true, clientCert: read('client.cert'), clientKey: read('client.key') };
    const viaSocketToo = createSocketSend({ baseUrl: new URL(baseUrl), timeoutMs: 5000, ...client });
    for (const send of [sendTo(baseUrl, client), viaSocketToo]) {
      expect(await send(request())).toMatchObject({ kind: 'response', response: { status: 200 } });
    }
  },
);
