import { createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';
import { createUrlSends, request } from '../../fixtures/sockets/url-sends.ts';
import { type UrlSendOptions } from './client.ts';
import type { Answer, Send } from './message.ts';

const closer = createCloser();

afterEach(() => closer.closeAll());

const { sendTo, sendToHttp, sendToBytes } = createUrlSends(closer);

/** A service that answers with the very bytes that came, once they hold the end mark `!`. */
async function sendToMirror(options: Partial<UrlSendOptions> = {}, path = ''): Promise<Send> {
  const server = createTcpServer((socket) => {
    let packets: string[] = [];
    socket.on('data', (chunk) => {
      packets.push(chunk.toString('latin1'));
      if (packets.join('').includes('!')) {
        const body = Buffer.from(JSON.stringify(packets));
        packets = [];
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`);
        socket.write(body);
      }
    });
  });
  return sendTo(`http://127.0.0.1:${await closer.listen(server)}${path}`, options);
}

const end = Buffer.from('{"id":1}!');

function responseOf(answer: Answer): { status: number; headers: unknown; text: string } {
  if (answer.kind !== 'response') throw new Error(`no response: ${JSON.stringify(answer)}`);
  const { status, headers, body } = answer.response;
  return { status, headers, text: Buffer.from(body).toString() };
}

/** What the mirror saw: its packets, each as text. */
function packetsOf(answer: Answer): string[] {
  const packets: unknown = JSON.parse(responseOf(answer).text);
  return Array.isArray(packets) ? packets.map(String) : [];
}

function receivedOf(answer: Answer): string {
  return 'received' in answer ? Buffer.from(answer.received).toString('latin1') : '';
}

test('sends a request exactly as it is given', async () => {
  const send = await sendToMirror({}, '/v1/api/');
  const headers = [
    ['Authorization', 'bearer  t'],
    ['X-Twice', 'a'],
    ['x-twice', 'b'],
    ['X-Latin', '\u00e9'],
  ] as const;
  const seen = packetsOf(
    await send(request({ method: 'POST', target: '/things?a=%20b', headers, body: end })),
  ).join('');
  const [host] = /127\.0\.0\.1:\d+/u.exec(seen) ?? [];
  expect(seen).toBe(
    `POST /v1/api/things?a=%20b HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\nAuthorization: bearer  t\r\n` +
      'X-Twice: a\r\nx-twice: b\r\nX-Latin: \u00e9\r\ncontent-length: 9\r\n\r\n{"id":1}!',
  );
});

test('sends fields for every request unless it has them', async () => {
  const send = await sendToMirror({
    headers: [
      ['X-Tenant', 'one'],
      ['Accept', 'a/b'],
    ],
  });
  const seen = packetsOf(
    await send(request({ method: 'POST', headers: [['accept', 'c/d']], body: end })),
  ).join('');
  expect(seen).toContain('accept: c/d\r\nX-Tenant: one\r\n');
  expect(seen).not.toContain('a/b');
});

test('sends content in chunks', async () => {
  const send = await sendToMirror();
  const answer = await send(request({ method: 'POST', body: end }), { framing: 'chunked' });
  const seen = packetsOf(answer).join('');
  expect(seen).toContain('transfer-encoding: chunked\r\n');
  expect(seen).not.toMatch(/content-length/iu);
  expect(seen).toContain('\r\n\r\n3\r\n{"i\r\n3\r\nd":\r\n3\r\n1}!');
});

test('sends content over several packets, each of which the service sees by itself', async () => {
  const send = await sendToMirror();
  const answer = await send(request({ method: 'POST', body: end }), { framing: 'several-packets' });
  const packets = packetsOf(answer);
  expect(packets.length).toBeGreaterThan(1);
  expect(packets.join('')).toMatch(/content-length: 9\r\n\r\n\{"id":1\}!$/iu);
});

test.each(['content-length', 'chunked', 'several-packets'] as const)(
  'sends no content as %s',
  async (framing) => {
    const send = await sendToHttp((incoming, outgoing) => {
      outgoing.end(`${incoming.method} ${incoming.headers['content-length']}`);
    });
    const body = new Uint8Array();
    expect(responseOf(await send(request({ method: 'POST', body }), { framing })).text).toBe('POST 0');
    expect(responseOf(await send(request({ method: 'DELETE' }), { framing })).text).toBe('DELETE undefined');
  },
);

test.each(['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'patch', 'X-ODD'])(
  'sends the method %s',
  async (method) => {
    const send = await sendToBytes((_number, socket) => {
      socket.once('data', () => {});
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
    expect(responseOf(await send(request({ method })))).toEqual({ status: 204, headers: [], text: '' });
  },
);

test.each([
  ['Content-Length', '3'],
  ['Transfer-Encoding', 'chunked'],
  ['Connection', 'X-Hop'],
  ['Expect', '100-continue'],
  ['Host', 'elsewhere.example'],
  ['X-Wide', '\u20ac'],
])('sends the field %s: %s as it stands', async (name, value) => {
  const send = await sendToMirror();
  const headers = [
    [name, value],
    ['X-End', '!'],
  ] as const;
  const packets = packetsOf(await send(request({ method: 'POST', headers, body: Buffer.from('{"id":1}') })));
  const seen = Buffer.from(packets.join(''), 'latin1').toString();
  expect(seen.toLowerCase()).toContain(`\r\n${name}: ${value}\r\n`.toLowerCase());
  expect(seen.toLowerCase().split(`\r\n${name.toLowerCase()}: `)).toHaveLength(2);
  expect(seen).toContain('{"id":1}');
});

test('keeps fields in order and spelling, and several of one name', async () => {
  const send = await sendToBytes((_number, socket) => {
    socket.write('HTTP/1.1 299 Fine\r\nX-B: 1\r\nx-b: \xe9\r\nContent-Length: 2\r\n\r\nok', 'latin1');
  });
  const headers = [
    ['X-B', '1'],
    ['x-b', '\u00e9'],
    ['Content-Length', '2'],
  ];
  expect(responseOf(await send(request()))).toEqual({ status: 299, headers, text: 'ok' });
});

test('follows no redirect', async () => {
  const asked: (string | undefined)[] = [];
  const send = await sendToHttp((incoming, outgoing) => {
    asked.push(incoming.url);
    outgoing.writeHead(307, { Location: '/elsewhere' }).end();
  });
  expect([responseOf(await send(request())).status, asked]).toEqual([307, ['/']]);
});

test('takes gzip off the body and keeps its field', async () => {
  const send = await sendToHttp((_incoming, outgoing) => {
    outgoing.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('{"id":1}'));
  });
  const { headers, text } = responseOf(await send(request()));
  expect(text).toBe('{"id":1}');
  expect(headers).toContainEqual(['Content-Encoding', 'gzip']);
});

test('says which coding it could not take off', async () => {
  const send = await sendToHttp((_incoming, outgoing) => {
    outgoing.writeHead(200, { 'Content-Encoding': 'gzip' }).end('{"id":1}');
  });
  expect(await send(request())).toMatchObject({
    kind: 'response',
    response: { body: Buffer.from('{"id":1}'), undecoded: { coding: 'gzip', reason: 'broken' } },
  });
  expect(await send(request({ method: 'HEAD' }))).not.toHaveProperty('response.undecoded');
});

test('skips interim answers, also those that nobody asked for', async () => {
  const interim = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
  const send = await sendToBytes((number, socket) => {
    socket.write(number === 1 ? interim : 'HTTP/1.1 100 Continue\r\n\r\n');
    setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'), 20);
  });
  expect(responseOf(await send(request({ method: 'POST' }))).text).toBe('ok');
  expect(responseOf(await send(request({ method: 'POST' }))).text).toBe('ok');
});

test.each([
  'HTTP/1.1 099 Odd',
  'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x',
  'HTTP/1.1 999 Odd',
])('reads the status of %j', async (start) => {
  const send = await sendToBytes((_number, socket) => socket.write(`${start}\r\nContent-Length: 0\r\n\r\n`));
  expect(responseOf(await send(request())).status).toBe(Number(start.slice(9, 12)));
});

test.each([
  ['two lengths alike', 'Content-Length: 2\r\nContent-Length: 2\r\n\r\nok'],
  ['a length beside chunks', 'Content-Length: 7\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
  ['chunks beside a length', 'Transfer-Encoding: chunked\r\nContent-Length: 7\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
])('reads the content of an answer with %s', async (_what, rest) => {
  const send = await sendToBytes((_number, socket) => socket.write(`HTTP/1.1 200 OK\r\n${rest}`));
  expect(responseOf(await send(request())).text).toBe('ok');
});

test('answers timed-out for a service that says nothing, and goes on after it', async () => {
  let count = 0;
  const send = await sendToHttp(
    (_incoming, outgoing) => {
      count += 1;
      if (count > 1) {
        outgoing.end('ok');
      }
    },
    { timeoutMs: 100 },
  );
  const answer = await send(request({ method: 'POST', body: end }));
  expect(answer).toEqual({ kind: 'timed-out', afterMs: expect.any(Number), received: Buffer.alloc(0) });
  expect(responseOf(await send(request())).text).toBe('ok');
});

test('answers timed-out with what had come of a body that never ends', async () => {
  const half = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf';
  const send = await sendToBytes((_number, socket) => socket.write(half), { timeoutMs: 200 });
  const answer = await send(request());
  expect(answer.kind).toBe('timed-out');
  expect(receivedOf(answer)).toBe(half);
});

test('answers timed-out when the signal aborts, before it is sent or while it is under way', async () => {
  const controller = new AbortController();
  const send = await sendToBytes(() => controller.abort());
  expect(await send(request(), { signal: AbortSignal.abort() })).toMatchObject({
    kind: 'timed-out',
    afterMs: 0,
  });
  expect(await send(request(), { signal: controller.signal })).toMatchObject({ kind: 'timed-out' });
});

test.each([
  ['', 'the connection was closed before an answer came'],
  [
    'HTTP/1.1 200 OK\r\nConte',
    'the connection was closed in the middle of the answer: the rest of its header section did not come',
  ],
  [
    'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf',
    'the connection was closed in the middle of the answer: 6 of the 10 bytes of its content did not come',
  ],
  [
    'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 10\r\n\r\nhalf',
    'the connection was closed in the middle of the answer: 6 of the 10 bytes of its content did not come',
  ],
  [
    'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n',
    'the connection was closed in the middle of the answer: the last chunk of its content did not come',
  ],
])('answers dropped where the service closes after %j', async (bytes, reason) => {
  const send = await sendToBytes((_number, socket) => socket.end(bytes));
  const answer = await send(request());
  expect(answer).toMatchObject({ kind: 'dropped', reason });
  expect(receivedOf(answer)).toBe(bytes);
});

test('answers dropped where the service resets the connection', async () => {
  const send = await sendToBytes((_number, socket) => socket.resetAndDestroy());
  expect(await send(request())).toMatchObject({
    kind: 'dropped',
    reason: 'the connection was reset before an answer came',
  });
});

test('reads content without a length up to the end of the connection', async () => {
  const send = await sendToBytes((_number, socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'));
  expect(responseOf(await send(request())).text).toBe('all of it');
});

test.each([
  'garbage\r\n\r\n',
  'HTTP/1.1 2000 OK\r\n\r\n',
  'HTTP/1.1 200 OK\r\nno field\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
])('answers not-http with the bytes for %j', async (bytes) => {
  const send = await sendToBytes((_number, socket) => socket.write(bytes));
  const answer = await send(request());
  expect(answer.kind).toBe('not-http');
  expect(receivedOf(answer)).toBe(bytes);
});
