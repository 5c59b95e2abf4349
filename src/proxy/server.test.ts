import { afterEach, expect, test } from 'vitest';
import { createProxyOpener } from '../../fixtures/proxy/create-proxy-opener.ts';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';
import type { Wire } from '../../fixtures/sockets/to-wire.ts';

const closer = createCloser();
afterEach(() => closer.closeAll());
const { beforeDocumentAnswer, beforeTcp, dial } = createProxyOpener(closer);

const notForwarded = 'it is no HTTP request, and was not forwarded';
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const getRoot = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const chunked = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

test.each([
  ['a length beside chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi!'],
  ['a field over two lines', 'X-A: 1\r\n 2\r\nContent-Length: 2\r\n\r\nhi'],
  ['a space before a colon', 'Content-Length : 2\r\n\r\nhi'],
  ['a line end without its CR', 'X-A: 1\nContent-Length: 2\r\n\r\nhi'],
  ['a transfer coding after chunks', 'Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n'],
])(
  'passes nothing of a request on in which others may see another one, and counts it: %s',
  async (_, rest) => {
    const { port, service, taken } = await beforeDocumentAnswer();
    const client = dial(port);
    client.write(`POST / HTTP/1.1\r\nHost: a\r\n${rest}`);
    expect(await client.closed).toBe('ended');
    expect(client.text()).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/u);
    const next = dial(port);
    next.write('GET /next HTTP/1.1\r\nHost: a\r\n\r\n');
    const wire = await service();
    expect(await wire.until(/\r\n\r\n/u)).toMatch(/^GET \/next /u);
    expect(taken).toEqual([
      expect.objectContaining({ number: 1, isBesideChange: false, unjudged: notForwarded }),
    ]);
    expect(taken[0]?.exchange.request).toEqual({ method: 'POST', target: '/', headers: [], body: undefined });
  },
);

test.each([
  ['words', 'nonsense\r\n\r\n', 400],
  ['TLS', '\u0016\u0003\u0001\u0002', 400],
  ['a header without an end', `GET /${'a'.repeat(300_000)}`, 431],
])('counts what it answers itself, once: %s', async (_, said, status) => {
  const { port, taken, until } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write(said);
  await client.until(new RegExp(`^HTTP/1.1 ${status} `, 'u'));
  client.write(said);
  await client.closed;
  await until(1);
  await new Promise(setImmediate);
  expect(taken.map(({ unjudged }) => unjudged)).toEqual([notForwarded]);
  expect(taken[0]?.exchange.request).toMatchObject({ method: '', target: '' });
});

test('answers 400 where the content of a request is no HTTP, and says so of the exchange', async () => {
  const { port, service, taken, until } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write(chunked);
  const wire = await service();
  await wire.until(/\r\n\r\n/u);
  client.write('no size\r\n');
  expect(await client.closed).toBe('ended');
  expect(client.text()).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/u);
  await wire.closed;
  await until(1);
  await new Promise(setImmediate);
  expect(taken.map(({ unjudged }) => unjudged)).toEqual(['the content of its request is no HTTP']);
});

test('passes the answers on that are due before it answers what is no HTTP behind their requests', async () => {
  const { port, service, until, taken } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write(`${getRoot}nonsense\r\n\r\n`);
  const wire = await service();
  await wire.until(/\r\n\r\n/u);
  client.write('and more of it\r\n\r\n');
  wire.write('HTTP/1.1 204 No Content\r\n\r\n');
  await client.closed;
  expect(client.text()).toMatch(
    /^HTTP\/1.1 204 No Content\r\n(?:[^]*?\r\n)?\r\nHTTP\/1.1 400 Bad Request\r\n(?![^]*HTTP\/1.1 )/u,
  );
  await until(2);
  expect(taken.map(({ number, unjudged }) => [number, unjudged])).toEqual([
    [2, notForwarded],
    [1, undefined],
  ]);
  expect(taken[0]?.exchange.request.method).toBe('');
});

test('says of a method that nobody has registered that it forwards none', async () => {
  const { port, taken, until } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write('BREW /pots HTTP/1.1\r\nHost: a\r\n\r\n');
  await client.closed;
  expect(client.text()).toMatch(/^HTTP\/1.1 501 Not Implemented\r\n/u);
  await until(1);
  expect(taken.map(({ unjudged }) => unjudged)).toEqual([notForwarded]);
});

test.each([
  ['after its length', 'Content-Length: 2\r\nConnection: close\r\n\r\nok', ' and more'],
  ['of another answer', 'Content-Length: 2\r\nConnection: close\r\n\r\nok', 'HTTP/1.1 200 OK\r\n\r\n'],
])('passes an answer on whole, whatever comes %s, and notes that', async (_, rest, more) => {
  const { port, service, taken, until } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write(getRoot);
  const wire = await service();
  await wire.until(/\r\n\r\n/u);
  wire.write(`HTTP/1.1 200 OK\r\n${rest}${more}`);
  expect(await client.closed).toBe('ended');
  expect(client.text()).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*\r\n\r\nok$/u);
  await until(1);
  expect(taken[0]?.unjudged).toBe(undefined);
  const answer = taken[0]?.exchange.answer;
  expect(answer?.kind === 'response' && Buffer.from(answer.trailing ?? []).toString()).toBe(more);
});

test('notes an answer with broken chunks from its beginning', async () => {
  const { port, service, taken, until } = await beforeDocumentAnswer();
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  for (const [index, [said, received]] of (
    [
      ['{"a":1}\r\n', '{"a":1}\r\n'],
      ['1\r\nb\r\n1\r\na\r\nno size\r\n', '2\r\nba\r\nno size\r\n'],
    ] as const
  ).entries()) {
    const client = dial(port);
    client.write(getRoot);
    const wire = await service();
    await wire.until(/\r\n\r\n/u);
    wire.write(`${head}${said}`);
    await client.closed;
    await until(index + 1);
    const { answer } = taken[index]?.exchange ?? {};
    expect(answer).toEqual({
      kind: 'not-http',
      reason: expect.any(String),
      received: Buffer.from(`${head}${received}`),
    });
  }
  const cut = dial(port);
  cut.write(getRoot);
  const wire = await service();
  await wire.until(/\r\n\r\n/u);
  wire.write(`${head}2\r\nok\r\n`);
  await cut.until(/ok\r\n$/u);
  wire.socket.end();
  await cut.closed;
  await until(3);
  expect(taken[2]?.exchange.answer).toEqual({
    kind: 'dropped',
    reason:
      'the connection was closed in the middle of the answer: the last chunk of its content did not come',
    received: Buffer.from(`${head}2\r\nok\r\n`),
  });
});

test('does not judge an answer that only its own client refuses to read', async () => {
  const { port, service, taken, until } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write(getRoot);
  const wire = await service();
  await wire.until(/\r\n\r\n/u);
  wire.write(
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  );
  await client.until(/^HTTP\/1.1 502 [^]*\r\n\r\n./u);
  await until(1);
  expect(taken[0]?.unjudged).toBe('the proxy cannot read its answer, which breaks no rule that is judged');
});

test('knows a connection that ends between two requests sent at once for one that stood', async () => {
  const { port, service, taken, until } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write(`${getRoot}${getRoot}`);
  const wire = await service();
  await wire.until(/\r\n\r\n/u);
  wire.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  await wire.until(/GET[^]*GET[^]*\r\n\r\n/u);
  wire.socket.end();
  expect(await client.closed).toBe('ended');
  expect(client.text()).toMatch(/ok$/u);
  await until(2);
  expect(taken[1]?.exchange.answer.kind).toBe('dropped');
});

test('leaves nothing of a request on a connection that carries more', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', note);
  const { port, service } = await beforeDocumentAnswer();
  const client = dial(port);
  const count = 20;
  client.write(getRoot.repeat(count));
  const wire = await service();
  const countOf = (text: string, words: string): number => text.split(words).length - 1;
  for (let index = 1; index <= count; index += 1) {
    await expect.poll(() => countOf(wire.text(), 'GET /')).toBe(index);
    wire.write(ok);
  }
  await expect.poll(() => countOf(client.text(), '\r\n\r\nok')).toBe(count);
  await new Promise(setImmediate);
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

const upgradeFields = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
const upgrade = `GET /chat HTTP/1.1\r\nHost: a\r\n${upgradeFields}\r\n`;
const control = 'its reason phrase has a control character';
const switched =
  'it switches protocols (101), which takes an Upgrade field in the request and in the response';

async function expectNextAnswer(port: number, service: () => Promise<Wire>): Promise<void> {
  const next = dial(port);
  next.write(getRoot);
  const wire = await service();
  await wire.until(/\r\n\r\n/u);
  wire.write(ok);
  expect(await next.until(/ok$/u)).toBe(ok);
}

test.each([
  ['NUL in a reason phrase', getRoot, '200 a\0b\r\nContent-Length: 2\r\n\r\nok', control],
  ['ESC in a reason phrase', getRoot, '200 a\u001Bb\r\nContent-Length: 2\r\n\r\nok', control],
  ['DEL in a reason phrase', getRoot, '304 a\u007Fb\r\n\r\n', control],
  ['a control character in an interim reason phrase', getRoot, '103 a\u0001b\r\n\r\n', control],
  [
    'a control character in the reason phrase of a switch',
    upgrade,
    `101 a\0b\r\n${upgradeFields}\r\n`,
    control,
  ],
  ['status 000', getRoot, '000 X\r\nContent-Length: 2\r\n\r\nok', 'its status is 000'],
  ['status 099', upgrade, '099 X\r\nContent-Length: 2\r\n\r\nok', 'its status is 099'],
  ['an unasked 101', getRoot, `101 Switching Protocols\r\n${upgradeFields}\r\n`, switched],
  ['an unasked 101 without Upgrade', getRoot, '101 Switching Protocols\r\n\r\n', switched],
  ['a 101 without Upgrade', upgrade, '101 Switching Protocols\r\n\r\n', switched],
])('answers 502 with the reason and goes on: %s', async (_, request, answer, reason) => {
  const { port, service, taken, until } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write(request);
  const wire = await service();
  await wire.until(/\r\n\r\n/u);
  wire.write(`HTTP/1.1 ${answer}`);
  expect(await client.closed).toBe('ended');
  const text = `cloche proxy has no answer to pass on: the answer of the service cannot be passed on (${reason}).\n`;
  const [head, content] = client.text().split('\r\n\r\n');
  expect([head?.split('\r\n'), content]).toEqual([
    expect.arrayContaining([
      'HTTP/1.1 502 Bad Gateway',
      `Content-Length: ${text.length}`,
      'Connection: close',
    ]),
    text,
  ]);
  await wire.closed;
  await until(1);
  expect(taken[0]?.exchange.answer.kind).toBe('not-http');
  await expectNextAnswer(port, service);
});

test.each([600, 999])('passes on status %i', async (status) => {
  const { port, service } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write(getRoot);
  const wire = await service();
  await wire.until(/\r\n\r\n/u);
  const answer = `HTTP/1.1 ${status} X\r\nContent-Length: 2\r\n\r\nok`;
  wire.write(answer);
  expect(await client.until(/ok$/u)).toBe(answer);
});

test.each([
  'POST / HTTP/1.1\r\nHost: a\r\nTrailer: x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nTrailer: x\r\n\r\n',
  `POST / HTTP/1.1\r\nHost: a\r\n${upgradeFields}Trailer: x\r\n\r\n`,
])('forwards a request without the Trailer field that announces no trailers: %j', async (request) => {
  const { port, service } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write(request);
  const wire = await service();
  expect(await wire.until(/\r\n\r\n/u)).not.toMatch(/trailer/iu);
  wire.write(ok);
  expect(await client.until(/ok$/u)).toMatch(/^HTTP\/1.1 200 OK\r\n/u);
});

test.each([
  ['HTTP/1.1', '200 OK\r\nTrailer: x\r\nContent-Length: 2\r\n\r\nok', 'Content-Length: 2\r\n\r\nok'],
  [
    'HTTP/1.1',
    '304 OK\r\nTrailer: x\r\nTransfer-Encoding: chunked\r\n\r\n',
    'Transfer-Encoding: chunked\r\n\r\n',
  ],
  [
    'HTTP/1.0',
    '200 OK\r\nTrailer: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nx: 1\r\n\r\n',
    'Connection: close\r\n\r\nok',
  ],
])('passes on an answer without a Trailer field for no trailers: %s, %j', async (version, answer, rest) => {
  const { port, service } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write(`GET / ${version}\r\nHost: a\r\n\r\n`);
  const wire = await service();
  await wire.until(/\r\n\r\n/u);
  wire.write(`HTTP/1.1 ${answer}`);
  await client.until(/ok$|chunked\r\n\r\n$/u);
  expect(client.text()).toBe(`HTTP/1.1 ${answer.slice(0, 6)}\r\n${rest}`);
});

test.each([
  ['a tunnel', upgrade, `HTTP/1.1 101 Yes\r\n${upgradeFields}\r\nhi`],
  ['an upgrade that it leaves aside', upgrade.replace('websocket', 'h2c'), ok],
])('forwards %s after the requests before it on the connection', async (_, last, answer) => {
  const { port, service } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write(`${getRoot}${getRoot}${last}`);
  const wire = await service();
  await wire.until(/^GET \/ /u);
  wire.write(ok);
  await wire.until(/(?:GET \/ [^]*){2}/u);
  wire.write(ok);
  await wire.until(/GET \/chat [^]*\r\n\r\n$/u);
  wire.write(answer);
  expect(await client.until(/hi$|(?:ok[^]*){3}/u)).toBe(`${ok}${ok}${answer}`);
});

test('forwards nothing behind a request that it answers itself', async () => {
  const { port, service, taken, until } = await beforeDocumentAnswer();
  dial(port).write(getRoot);
  const wire = await service();
  const [, pseudonym = ''] = /\r\nVia: 1.1 (\S+)/u.exec(await wire.until(/\r\n\r\n/u)) ?? [];
  const client = dial(port);
  client.write(`GET /again HTTP/1.1\r\nHost: a\r\nVia: 1.1 ${pseudonym}\r\n\r\n${upgrade}`);
  expect(await client.closed).toBe('ended');
  expect(client.text()).toMatch(/^HTTP\/1.1 508 (?![^]*HTTP\/1.1)/u);
  await until(1);
  expect(taken.map(({ exchange }) => exchange.request.target)).toEqual(['/again']);
});

test('forwards nothing and keeps no connection for requests whose client has gone', async () => {
  const wires: Wire[] = [];
  const { port, taken, until } = await beforeTcp((wire) => void wires.push(wire));
  const client = dial(port);
  client.write(getRoot.repeat(3));
  await expect.poll(() => wires[0]?.text()).toMatch(/^GET [^]*\r\n\r\n$/u);
  client.socket.destroy();
  await until(3);
  expect(taken.map(({ unjudged }) => unjudged)).toEqual(
    Array.from({ length: 3 }, () => 'its client went away before its end'),
  );
  await expect.poll(() => wires.filter(({ socket }) => !socket.closed).length).toBe(0);
  expect(wires.map((wire) => wire.text()).join('')).not.toMatch(/GET[^]*GET/u);
});

test.each([upgrade, `${getRoot}${upgrade}`, 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n'])(
  'closes the connection to the service when a client leaves that asks for a tunnel: %j',
  async (requests) => {
    const { port, service, taken, until } = await beforeDocumentAnswer();
    const client = dial(port);
    client.write(requests);
    const wire = await service();
    await wire.until(/\r\n\r\n/u);
    client.socket.end();
    expect(await wire.closed).toBe('ended');
    await until(1);
    expect(taken.map(({ unjudged }) => unjudged)).toEqual(['its client went away before its end']);
  },
);

test('reads no more interim answers than the client takes', async () => {
  const { port, service } = await beforeDocumentAnswer();
  const client = dial(port);
  client.socket.pause();
  client.write(getRoot);
  const flooding = await service();
  await flooding.until(/\r\n\r\n/u);
  const interim = `HTTP/1.1 103 Early\r\nX: ${'x'.repeat(200_000)}\r\n\r\n`;
  // More than the buffers of two connections hold.
  const count = 400;
  flooding.write(interim.repeat(count));
  for (let index = 0; index < 200; index += 1) await expectNextAnswer(port, service);
  expect(flooding.socket.writableLength).toBeGreaterThan(0);
  flooding.write(ok);
  let length = 0;
  client.socket.on('data', (chunk: string) => {
    length += chunk.length;
  });
  client.socket.resume();
  await expect.poll(() => length).toBe(interim.length * count + ok.length);
});

test('answers other requests after an exchange could not be noted', async () => {
  let isFirst = true;
  const { port, service } = await beforeDocumentAnswer({
    take() {
      if (!isFirst) return;
      isFirst = false;
      throw new Error('no place for it');
    },
  });
  const client = dial(port);
  client.write(getRoot);
  const wire = await service();
  await wire.until(/\r\n\r\n/u);
  wire.write(ok);
  await client.until(/ok$/u);
  await expectNextAnswer(port, service);
});
