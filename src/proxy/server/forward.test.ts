import { once } from 'node:events';
import { get, request as httpRequest, type RequestListener } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { createProxyOpener } from '../../../fixtures/proxy/create-proxy-opener.ts';
import { createCloser } from '../../../fixtures/sockets/create-closer.ts';

const closer = createCloser();
afterEach(() => closer.closeAll());
const { beforeTcp, beforeDocumentAnswer, beforeHttp, dial } = createProxyOpener(closer);

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const getRoot = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

test('passes content as it comes, both ways, in chunks, with the fields of the trailers', async () => {
  const { port, service } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write(
    'POST / HTTP/1.1\r\nHost: a\r\nTE: trailers, gzip;q=0.5\r\nConnection: TE\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  const wire = await service();
  expect(await wire.until(/\r\n\r\n/u)).toContain('\r\nTE: trailers\r\nConnection: TE\r\n');
  // Each side waits for the piece before it sends the next one, so none can have been held back.
  for (const piece of ['one', 'two']) {
    client.write(`3\r\n${piece}\r\n`);
    await wire.until(new RegExp(`3\r\n${piece}\r\n$`, 'u'));
  }
  wire.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n');
  expect(await client.until(/\r\n\r\n$/u)).toBe(
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n',
  );
  wire.write('3\r\nuno\r\n');
  await client.until(/3\r\nuno\r\n$/u);
  client.write('0\r\nX-End: 1\r\nx-end: 2\r\n\r\n');
  await wire.until(/0\r\nX-End: 1\r\nx-end: 2\r\n\r\n$/u);
  wire.write('0\r\nX-Sum: 7\r\n\r\n');
  await client.until(/0\r\nX-Sum: 7\r\n\r\n$/u);
});

test('passes the head of an answer at once, and each event of a stream as it comes', async () => {
  const { port, service, taken, until } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write(getRoot);
  const wire = await service();
  await wire.until(/\r\n\r\n/u);
  wire.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n');
  await client.until(/event-stream\r\n.*\r\n\r\n$/su);
  wire.write('data: 1\n\n');
  await client.until(/data: 1\n\n$/u);
  client.socket.destroy();
  await wire.closed;
  await until(1);
  expect(taken[0]?.unjudged).toBe('its answer is a stream of events');
});

test('passes on 100 and 103 as the service says them, and the expectation as the client does', async () => {
  const { port, service } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write('POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n');
  const wire = await service();
  expect(await wire.until(/\r\n\r\n$/u)).toContain('Expect: 100-continue');
  expect(client.text()).toBe('');
  wire.write('HTTP/1.1 103 Early\r\nLink: </a>\r\nX-a: 1\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n');
  await client.until(/^HTTP\/1.1 103 Early\r\nLink: <\/a>\r\nX-a: 1\r\n\r\nHTTP\/1.1 100 Continue\r\n\r\n$/u);
  client.write('{}');
  await wire.until(/\{\}$/u);
  wire.write(ok);
  await client.until(/ok$/u);
  // The connection goes on.
  client.write(getRoot);
  await wire.until(/GET \/ /u);
});

test('passes a refusal on that comes in place of 100, and closes the connection', async () => {
  const { port, service, taken, until } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write('POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n');
  const wire = await service();
  await wire.until(/\r\n\r\n$/u);
  wire.write('HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n');
  await client.until(/^HTTP\/1.1 417 .*\r\n\r\n$/su);
  expect(await client.closed).toBe('ended');
  await until(1);
  expect(taken.map(({ unjudged }) => unjudged)).toEqual(['its request did not come to its end']);
});

test.each([
  ['HEAD', '200 OK\r\nContent-Length: 9'],
  ['HEAD', '200 OK\r\nTransfer-Encoding: chunked'],
  ['GET', '204 No Content\r\nX-A: 1'],
  ['GET', '304 Not Modified\r\nContent-Length: 9\r\nETag: "a"'],
])('passes an answer without content as it is: %s, %s', async (method, head) => {
  const { port, service } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write(`${method} / HTTP/1.1\r\nHost: a\r\n\r\n`);
  const wire = await service();
  await wire.until(/\r\n\r\n$/u);
  wire.write(`HTTP/1.1 ${head}\r\n\r\n`);
  await client.until(/\r\n\r\n$/u);
  client.write(getRoot);
  await wire.until(/GET \/ HTTP[^]*GET \/ |HEAD[^]*GET/u);
  wire.write(ok);
  expect(await client.until(/ok$/u)).toBe(`HTTP/1.1 ${head}\r\n\r\n${ok}`);
});

test('says of an answer to HEAD without a length that it is the last of its connection', async () => {
  const { port } = await beforeTcp(
    (wire) => void wire.until(/\r\n\r\n/u).then(() => wire.write('HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\n')),
  );
  const client = dial(port);
  client.write('HEAD / HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(await client.closed).toBe('ended');
  expect(client.text()).toBe('HTTP/1.1 200 OK\r\nX-A: 1\r\nConnection: close\r\n\r\n');
});

test('lets an answer without a length end with its connection, and HTTP/1.0 have no chunks', async () => {
  const { port, service } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write(getRoot);
  const wire = await service();
  await wire.until(/\r\n\r\n/u);
  wire.write('HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\nsome');
  await client.until(/some$/u);
  wire.socket.end('thing', 'latin1');
  expect(await client.closed).toBe('ended');
  expect(client.text()).toBe('HTTP/1.1 200 OK\r\nX-A: 1\r\nConnection: close\r\n\r\nsomething');

  const old = dial(port);
  old.write('GET / HTTP/1.0\r\n\r\n');
  const second = await service();
  expect(await second.until(/\r\n\r\n/u)).toMatch(
    /^GET \/ HTTP\/1.1\r\nHost: 127.0.0.1:\d+\r\nVia: 1.0 cloche-[\w-]+\r\nConnection: close\r\n\r\n$/u,
  );
  second.write(
    'HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  );
  expect(await old.closed).toBe('ended');
  expect(old.text()).toBe('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nok');
});

test('passes an answer on that comes while content is still sent, and takes the rest', async () => {
  const { port, service, taken, until } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\nstart');
  const wire = await service();
  await wire.until(/start$/u);
  wire.socket.end('HTTP/1.1 413 No\r\nContent-Length: 2\r\n\r\nno', 'latin1');
  await client.until(/no$/u);
  await new Promise((resolve) => client.socket.write('a'.repeat(1_999_995), resolve));
  await until(1);
  expect(taken[0]?.exchange.answer).toMatchObject({ kind: 'response', response: { status: 413 } });
  expect(taken[0]?.unjudged).toBe('its content is longer than 1 KiB');
});

test('leaves content codings as they are, and counts what is too long to be judged', async () => {
  const content = gzipSync('a'.repeat(5_000));
  const { url, taken } = await beforeHttp((request, response) => {
    request.resume();
    if (request.url === '/long') {
      response.end('a'.repeat(1_025));
      return;
    }
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(content);
  });
  const [answer] = await once(get(url), 'response');
  const chunks: Buffer[] = [];
  answer.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(answer, 'end');
  expect(Buffer.concat(chunks)).toEqual(content);
  await (await fetch(`${url}/long`)).text();
  await (await fetch(url, { method: 'POST', body: 'a'.repeat(1_025) })).text();
  expect(taken.map(({ unjudged }) => unjudged)).toEqual([
    undefined,
    'its content is longer than 1 KiB',
    'its content is longer than 1 KiB',
  ]);
});

afterEach(() => closer.closeAll());

const piece = Buffer.alloc(1024 * 1024, 'a');
const pieces = 200;

/** Writes all pieces at the speed of the other side; says how many are written. */
function writeAll(side: Writable): { readonly written: () => number } {
  let written = 0;
  const write = (): void => {
    while (written < pieces) {
      written += 1;
      if (!side.write(piece)) {
        side.once('drain', write);
        return;
      }
    }
    side.end();
  };
  write();
  return { written: () => written };
}

/** Waits until nothing more is written, however often the network has its turn. */
async function untilStuck({ written }: { readonly written: () => number }): Promise<number> {
  let before = -1;
  for (let turns = 0; turns < 500; turns += 1) {
    if (written() !== before) {
      before = written();
      turns = 0;
    }
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  return before;
}

/** How many bytes come until the end. */
async function count(side: Readable): Promise<number> {
  let length = 0;
  // `as`: without an encoding a stream gives bytes.
  for await (const chunk of side) length += (chunk as Buffer).length;
  return length;
}

test(
  'lets 200 MB through each way without keeping them, at the speed of the slower side',
  { timeout: 60_000 },
  async () => {
    let begin: (asked: Parameters<RequestListener>) => void = () => undefined;
    const coming = new Promise<Parameters<RequestListener>>((resolve) => {
      begin = resolve;
    });
    const { port } = await beforeHttp((...asked) => begin(asked));
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST' });
    const before = process.memoryUsage().rss;
    const sending = writeAll(request);
    const [received, response] = await coming;
    // Nobody reads yet: so whoever writes must be kept from writing all of it.
    expect(await untilStuck(sending)).toBeLessThan(pieces / 2);
    expect(await count(received)).toBe(pieces * piece.length);
    const answering = once(request, 'response');
    const answered = writeAll(response);
    const [answer] = await answering;
    expect(await untilStuck(answered)).toBeLessThan(pieces / 2);
    expect(await count(answer)).toBe(pieces * piece.length);
    expect(process.memoryUsage().rss - before).toBeLessThan(120 * 1024 * 1024);
  },
);
