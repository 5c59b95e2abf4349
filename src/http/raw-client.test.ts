import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';
import type { Answer, HttpRequest, Send, SendTarget } from './message.ts';
import { createSocketSend } from './raw-client.ts';

const closer = createCloser();

afterEach(() => closer.closeAll());

function sendTo(baseUrl: string, options: Partial<SendTarget> = {}): Send {
  return createSocketSend({ baseUrl: new URL(baseUrl), timeoutMs: 2000, ...options });
}

/** A service that answers the first bytes of a connection with these. */
async function sendToBytes(
  answer: (socket: Socket, bytes: Buffer) => void,
  options: Partial<SendTarget> = {},
): Promise<Send> {
  const server = createTcpServer((socket) => {
    socket.once('data', (bytes) => answer(socket, bytes));
  });
  return sendTo(`http://127.0.0.1:${await closer.listen(server)}`, options);
}

function request(parts: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', target: '/', headers: [], body: undefined, ...parts };
}

function text(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString();
}

function summary(answer: Answer): unknown {
  return answer.kind === 'response'
    ? [answer.response.status, text(answer.response.body), text(answer.trailing)]
    : [answer.kind, 'received' in answer ? text(answer.received) : ''];
}

test.each([
  ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', [200, '', 'hello']],
  ['GET', 'HTTP/1.1 204 No Content\r\n\r\nhello', [204, '', 'hello']],
  ['GET', 'HTTP/1.1 304 Not Modified\r\n\r\nhello', [304, '', 'hello']],
  ['GET', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhello', [200, 'he', 'llo']],
  ['GET', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', [200, 'hello', '']],
  ['GET', 'HTTP/1.1 600 Odd\r\nContent-Length: 0\r\n\r\n', [600, '', '']],
  ['GET', 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n', [99, '', '']],
  ['GET', 'garbage', ['not-http', 'garbage']],
])(
  'sees the whole of what answers %s with %j, connection kept or closed',
  async (method, bytes, expected) => {
    const kept = await sendToBytes((socket) => socket.write(bytes));
    const closed = await sendToBytes((socket) => socket.end(bytes));
    expect(summary(await kept(request({ method })))).toEqual(expected);
    expect(summary(await closed(request({ method })))).toEqual(expected);
  },
);

test('waits for bytes that come after the end of an answer', async () => {
  const send = await sendToBytes((socket) => {
    socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    setTimeout(() => socket.end('late'), 10);
  });
  expect(summary(await send(request()))).toEqual([204, '', 'late']);
});

test('tells a length that is too long by the drop or the time-out, with the bytes', async () => {
  const bytes = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello';
  const closed = await sendToBytes((socket) => socket.end(bytes));
  const kept = await sendToBytes((socket) => socket.write(bytes), { timeoutMs: 100 });
  const answer = await closed(request());
  expect(summary(answer)).toEqual(['dropped', bytes]);
  expect(answer).toMatchObject({
    reason:
      'the connection was closed in the middle of the answer: 5 of the 10 bytes of its content did not come',
  });
  expect(summary(await kept(request()))).toEqual(['timed-out', bytes]);
});

test.each([
  ['content', 'HTTP/1.1 200 OK\r\nContent-Length: 9000000000000\r\n\r\n', 'a'],
  ['content in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '8\r\naaaaaaaa\r\n'],
  ['content up to the end of the connection', 'HTTP/1.1 200 OK\r\n\r\n', 'a'],
])('reads so much of %s without end', async (_, head, unit) => {
  const piece = unit.repeat(10_000);
  const writeOn = (socket: Socket): void => {
    while (!socket.destroyed && socket.write(piece)) continue;
    socket.once('drain', () => writeOn(socket));
  };
  const send = await sendToBytes(
    (socket) => {
      socket.on('error', () => undefined).write(head);
      writeOn(socket);
    },
    { responseLimit: 4_096 },
  );
  const answer = await send(request());
  expect(answer).toMatchObject({ kind: 'response', response: { status: 200, cutAfter: 4_096 } });
  // As it came: what it is cut out of need not be whole chunks.
  expect(summary(answer)).toEqual([200, unit.repeat(64 * 1_024).slice(0, 64 * 1_024), '']);
});

test('answers dropped for a reset, and timed-out for silence or an abort', async () => {
  const reset = await sendToBytes((socket) => socket.resetAndDestroy());
  expect(summary(await reset(request()))).toEqual(['dropped', '']);
  const silent = await sendToBytes(() => {}, { timeoutMs: 50 });
  expect(summary(await silent(request()))).toEqual(['timed-out', '']);
  const controller = new AbortController();
  const aborted = await sendToBytes(() => controller.abort());
  expect(summary(await aborted(request(), { signal: controller.signal }))).toEqual(['timed-out', '']);
  expect(summary(await aborted(request(), { signal: AbortSignal.abort() }))).toEqual(['timed-out', '']);
});

test.each([
  ['content-length', 'Content-Length: 8\r\n\r\n{"id":1}'],
  ['chunked', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{"\r\n2\r\nid\r\n2\r\n":\r\n2\r\n1}\r\n0\r\n\r\n'],
  ['several-packets', 'Content-Length: 8\r\n\r\n{"id":1}'],
] as const)('sends one request a connection, framed as %s', async (framing, ending) => {
  const packets: string[] = [];
  const server = createTcpServer((socket) => {
    socket.on('data', (bytes) => {
      packets.push(bytes.toString('latin1'));
      if (packets.join('').endsWith(ending)) {
        socket.end('HTTP/1.1 204 No Content\r\n\r\n');
      }
    });
  });
  const port = await closer.listen(server);
  const send = sendTo(`http://127.0.0.1:${port}/v1`, { headers: [['X-A', 'b']] });
  const answer = await send(request({ method: 'POST', target: '/x', body: Buffer.from('{"id":1}') }), {
    framing,
  });
  expect(summary(answer)).toEqual([204, '', '']);
  expect(packets.join('')).toBe(
    `POST /v1/x HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\nX-A: b\r\n${ending}`,
  );
  expect(packets.length > 1).toBe(framing !== 'content-length');
});

test('speaks with a server of Node', async () => {
  const server = createHttpServer((incoming, outgoing) => {
    incoming.resume().on('end', () => outgoing.end(`${incoming.method} ${incoming.headers.connection}`));
  });
  const send = sendTo(`http://127.0.0.1:${await closer.listen(server)}`);
  expect(summary(await send(request({ method: 'POST' })))).toEqual([200, 'POST close', '']);
});

test('says in words why a service is not reached', async () => {
  const port = await closer.listen(createTcpServer());
  await closer.closeAll();
  expect(await sendTo(`http://127.0.0.1:${port}`)(request())).toMatchObject({
    kind: 'unreachable',
    reason: `nothing listens on 127.0.0.1:${port}`,
  });
});

test('speaks TLS with a service whose certificate it is told to trust', async () => {
  const [key, cert] = ['key', 'cert'].map((part) =>
    readFileSync(new URL(`../../fixtures/tls/localhost.${part}.pem`, import.meta.url), 'utf8'),
  );
  const server = createHttpsServer({ key, cert }, (_incoming, outgoing) => outgoing.end('ok'));
  const url = `https://localhost:${await closer.listen(server)}`;
  expect(await sendTo(url)(request())).toMatchObject({
    kind: 'unreachable',
    reason: 'its certificate is self-signed: pass --ca FILE or --insecure',
  });
  expect(summary(await sendTo(url, { ca: cert ?? '' })(request()))).toEqual([200, 'ok', '']);
});
