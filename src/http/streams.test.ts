import { createServer, type ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';
import { createUrlSend } from './client.ts';
import type { Send } from './message.ts';
import { createSocketSend } from './raw-client.ts';
import { isStream } from './streams.ts';

const closer = createCloser();

afterEach(() => closer.closeAll());

const sends: Readonly<Record<string, (baseUrl: URL, timeoutMs: number) => Send>> = {
  client: (baseUrl, timeoutMs) => {
    const urlSend = createUrlSend({ baseUrl, timeoutMs, connections: 1 });
    closer.closeLater(() => urlSend.close());
    return urlSend.send;
  },
  socket: (baseUrl, timeoutMs) => createSocketSend({ baseUrl, timeoutMs }),
};

/** Asks a service that never ends its response, and returns the kind of the answer and its content. */
async function ask(
  via: string,
  {
    contentType,
    everyMs,
    timeoutMs = 30_000,
  }: Record<'contentType', string> & Record<'everyMs', number> & { timeoutMs?: number },
): Promise<readonly [string, string]> {
  const open = new Set<ServerResponse>();
  const server = createServer((_request, response) => {
    open.add(response);
    response.writeHead(200, { 'content-type': contentType }).flushHeaders();
    const timer = setInterval(() => response.write('{"n":1}\n'), everyMs);
    response.on('close', () => clearInterval(timer));
  });
  const send = sends[via]?.(new URL(`http://127.0.0.1:${await closer.listen(server)}`), timeoutMs);
  const answer = await send?.({ method: 'GET', target: '/', headers: [], body: undefined });
  expect.assert(answer !== undefined);
  return [answer.kind, answer.kind === 'response' ? Buffer.from(answer.response.body).toString() : ''];
}

test.each(['client', 'socket'])('reads the first events of a stream over the %s', async (via) => {
  const [kind, text] = await ask(via, { contentType: 'application/x-ndjson', everyMs: 5 });
  expect(kind).toBe('response');
  expect(text).toContain('{"n":1}');
});

test.each(['client', 'socket'])('reads the head of a stream without events over the %s', async (via) => {
  expect(await ask(via, { contentType: 'text/event-stream', everyMs: 60_000 })).toEqual(['response', '']);
});

test.each(['client', 'socket'])(
  'reads text that is still sent at the time limit over the %s',
  async (via) => {
    const [kind, text] = await ask(via, { contentType: 'text/plain', everyMs: 5, timeoutMs: 1_000 });
    expect(kind).toBe('response');
    expect(text).toContain('{"n":1}');
  },
);

test.each(['client', 'socket'])('times out for JSON that does not end over the %s', async (via) => {
  const answer = await ask(via, { contentType: 'application/json', everyMs: 5, timeoutMs: 300 });
  expect(answer).toEqual(['timed-out', '']);
});

test('takes no response with a length, and none that stopped, for a stream', () => {
  const plain = [['Content-Type', 'text/plain']] as const;
  expect(isStream(plain)).toBe(false);
  expect(isStream(plain, true)).toBe(true);
  expect(isStream([...plain, ['Content-Length', '9']], true)).toBe(false);
});
