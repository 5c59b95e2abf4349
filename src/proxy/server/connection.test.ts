import { afterEach, expect, test } from 'vitest';
import { createProxyOpener } from '../../../fixtures/proxy/create-proxy-opener.ts';
import { createCloser } from '../../../fixtures/sockets/create-closer.ts';

const closer = createCloser();
afterEach(() => closer.closeAll());
const { beforeDocumentAnswer, beforeHttp, dial } = createProxyOpener(closer);

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const getRoot = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

test('opens a tunnel where the service takes an upgrade, and passes a plain answer on where it does not', async () => {
  const { port, service, taken, until } = await beforeDocumentAnswer();
  const upgrade =
    'GET /chat HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n\r\n';
  const client = dial(port);
  client.write(`${upgrade}early`);
  const wire = await service();
  expect(await wire.until(/\r\n\r\n/u)).toMatch(
    /\r\nSec-WebSocket-Key: k\r\nVia: 1.1 \S+\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n/u,
  );
  const switched = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nupgrade: websocket\r\n\r\n';
  wire.write(`${switched}\u0081\u0002hi`);
  expect(await client.until(/hi$/u)).toBe(`${switched}\u0081\u0002hi`);
  await wire.until(/early$/u);
  client.write('there');
  await wire.until(/earlythere$/u);
  wire.write('!');
  await client.until(/hi!$/u);
  wire.socket.end();
  expect(await client.closed).toBe('ended');
  await until(1);
  expect(taken[0]?.unjudged).toBe('its connection became a tunnel');

  const refused = dial(port);
  refused.write(upgrade);
  const second = await service();
  await second.until(/\r\n\r\n/u);
  const answer = `HTTP/1.1 426 No\r\nTransfer-Encoding: chunked\r\n`;
  second.write(`${answer}\r\n2\r\nno\r\n0\r\n\r\n`);
  expect(await refused.closed).toBe('ended');
  expect(refused.text()).toBe(`${answer}Connection: close\r\n\r\n2\r\nno\r\n0\r\n\r\n`);
  await until(2);
  expect(taken[1]?.unjudged).toBe(undefined);
});

test('leaves an upgrade to HTTP/2 aside, and one of a request with content', async () => {
  const { port, service } = await beforeDocumentAnswer();
  for (const [fields, content] of [
    ['Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n', ''],
    ['Connection: Upgrade\r\nUpgrade: other\r\nTransfer-Encoding: chunked\r\n', '2\r\nhi\r\n0\r\n\r\n'],
  ]) {
    const client = dial(port);
    client.write(`POST / HTTP/1.1\r\nHost: a\r\n${fields}\r\n${content}`);
    const wire = await service();
    const seen = await wire.until(new RegExp(`\r\n\r\n${content}$`, 'u'));
    expect(seen).not.toMatch(/upgrade|http2/iu);
    wire.write(ok);
    await client.until(/ok$/u);
  }
});

test('passes CONNECT on, and what the service says to it', async () => {
  const { port, service } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write('CONNECT example:80 HTTP/1.1\r\nHost: example:80\r\n\r\n');
  const wire = await service();
  await wire.until(/^CONNECT example:80 HTTP/u);
  const answer = 'HTTP/1.1 405 No\r\nAllow: GET\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno';
  wire.socket.end(answer, 'latin1');
  expect(await client.closed).toBe('ended');
  expect(client.text()).toBe(answer);
});

test('passes an end of the service on as it was: before an answer, within it, by a reset', async () => {
  const { port, service, taken, until } = await beforeDocumentAnswer();
  const answerSoFar = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf';
  for (const [count, [said, end]] of (
    [
      ['', 'ended'],
      ['', 'reset'],
      [answerSoFar, 'ended'],
      [answerSoFar, 'reset'],
      ['HTTP/1.1 200 OK\r\n\r\nhalf', 'reset'],
    ] as const
  ).entries()) {
    const client = dial(port);
    client.write(getRoot);
    const wire = await service();
    await wire.until(/\r\n\r\n/u);
    wire.write(said);
    if (said !== '') {
      await client.until(/half$/u);
    }
    if (end === 'reset') {
      wire.socket.resetAndDestroy();
    } else {
      wire.socket.end();
    }
    expect([count, await client.closed]).toEqual([count, end]);
    await until(count + 1);
  }
  const answers = taken.map(({ exchange: { answer }, unjudged }) => [
    unjudged,
    answer.kind === 'dropped' ? answer.reason : answer.kind,
  ]);
  expect(answers).toEqual([
    [undefined, 'the connection was closed before an answer came'],
    [undefined, 'the connection was reset before an answer came'],
    [
      undefined,
      'the connection was closed in the middle of the answer: 5 of the 9 bytes of its content did not come',
    ],
    [
      undefined,
      'the connection was reset in the middle of the answer: 5 of the 9 bytes of its content did not come',
    ],
    [undefined, expect.stringMatching(/^the connection was reset in the middle of the answer/u)],
  ]);
});

test('passes the end of a client on to the service, before an answer and within it', async () => {
  const { port, service, taken, until } = await beforeDocumentAnswer();
  const waiting = dial(port);
  waiting.write(getRoot);
  const first = await service();
  await first.until(/\r\n\r\n/u);
  waiting.socket.destroy();
  await first.closed;
  const reading = dial(port);
  reading.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf');
  const second = await service();
  await second.until(/half$/u);
  second.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf');
  await reading.until(/half$/u);
  reading.socket.resetAndDestroy();
  await second.closed;
  await until(2);
  expect(taken.map(({ unjudged }) => unjudged)).toEqual([
    'its client went away before its end',
    'its client went away before its end',
  ]);
});

test('ties the connection of a client to one of the service: both are kept, and both end', async () => {
  const { port, service, until } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write(`${getRoot}${getRoot}`);
  const wire = await service();
  await wire.until(/^GET[^]*\r\n\r\n$/u);
  wire.write(
    'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=7\r\nContent-Length: 0\r\n\r\n',
  );
  await client.until(/\r\nConnection: keep-alive\r\nKeep-Alive: timeout=7\r\n\r\n$/u);
  await wire.until(/GET[^]*GET/u);
  wire.write(ok);
  await client.until(/ok$/u);
  wire.socket.end();
  expect(await client.closed).toBe('ended');
  await until(2);

  const last = dial(port);
  last.write(getRoot);
  const second = await service();
  await second.until(/\r\n\r\n/u);
  second.write('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok');
  await last.closed;
  expect(last.text()).toBe('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok');
  await until(3);
});

test('does not judge a drop on a connection that had been used, as it may have met the closing of an idle one', async () => {
  const { port, service, taken, until } = await beforeDocumentAnswer();
  const client = dial(port);
  client.write(getRoot);
  const wire = await service();
  await wire.until(/\r\n\r\n/u);
  wire.write(ok);
  await client.until(/ok$/u);
  client.write(getRoot);
  await wire.until(/GET[^]*GET/u);
  wire.socket.end();
  expect(await client.closed).toBe('ended');
  await until(2);
  expect(taken[1]?.unjudged).toBe('the service closed a connection that had been idle as the request left');
});

test('keeps many requests at once apart, and sees that they were side by side', async () => {
  const { url, taken, until } = await beforeHttp(
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => void response.end(`${request.url} ${Buffer.concat(chunks).toString()}`));
    },
    { mark: true },
  );
  const numbers = Array.from({ length: 200 }, (_, index) => index);
  const answers = await Promise.all(
    numbers.map(async (number) => {
      const response = await fetch(`${url}/${number}`, { method: 'POST', body: `body ${number}` });
      return [await response.text(), response.headers.get('cloche-exchange')];
    }),
  );
  expect(answers.map(([text]) => text)).toEqual(numbers.map((number) => `/${number} body ${number}`));
  await until(200);
  const targets = new Map(taken.map(({ number, exchange }) => [String(number), exchange.request.target]));
  expect(answers.map(([, number]) => targets.get(String(number)))).toEqual(
    numbers.map((number) => `/${number}`),
  );
  expect(taken.filter(({ isBesideChange }) => isBesideChange).length).toBeGreaterThan(100);
});
