import { afterEach, expect, test } from 'vitest';
import { createProxyOpener } from '../../../fixtures/proxy/create-proxy-opener.ts';
import { createCloser } from '../../../fixtures/sockets/create-closer.ts';

const closer = createCloser();
afterEach(() => closer.closeAll());
const { beforeDocumentAnswer, dial } = createProxyOpener(closer);

const notForwarded = 'it is no HTTP request, and was not forwarded';
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
      expect.objectContaining({ number: 1, isSideBySide: false, unjudged: notForwarded }),
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
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
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
