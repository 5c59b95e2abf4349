import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createFetchSend, type FetchHandler } from './fetch-send.ts';
import type { Answer, HttpRequest } from './message.ts';

class Unsendable extends Error {}

async function send(
  handler: FetchHandler,
  request: Partial<HttpRequest> = {},
  options: {
    readonly timeoutMs?: number;
    readonly responseLimit?: number;
    readonly signal?: AbortSignal;
  } = {},
): Promise<Answer> {
  const { signal, ...limits } = options;
  const { send: sendIt } = { send: createFetchSend(handler, { ...usual, ...limits }) };
  const whole: HttpRequest = { method: 'GET', target: '/a?b=c', headers: [], body: undefined, ...request };
  return sendIt(whole, signal === undefined ? {} : { signal });
}

const usual = {
  baseUrl: new URL('http://localhost/v1/'),
  timeoutMs: 5_000,
  headers: [['Accept', '*/*']] as const,
  unsendable: (reason: string) => new Unsendable(reason),
};
const never: FetchHandler = () => new Promise(() => undefined);

test('passes method, URL, fields and content to the handler, and returns its response', async () => {
  const answer = await send(
    async (request) =>
      Response.json([request.method, request.url, request.headers.get('accept'), await request.text()], {
        status: 201,
        headers: [
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
        ],
      }),
    { method: 'POST', body: Buffer.from('{}') },
  );
  expect(answer).toMatchObject({ kind: 'response', response: { status: 201 } });
  if (answer.kind !== 'response') throw new Error('there is no response');
  const { headers, body } = answer.response;
  expect(JSON.parse(Buffer.from(body).toString())).toEqual([
    'POST',
    'http://localhost/v1/a?b=c',
    '*/*',
    '{}',
  ]);
  expect(headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value)).toEqual(['a=1', 'b=2']);
});

test.each([
  { method: 'TRACE' },
  { method: 'get' },
  { target: '/a/../b' },
  { body: Buffer.from('content of a GET') },
  { headers: [['a b', 'c']] as const },
])('does not send a request that a Request refuses or changes: %j', async (request) => {
  let isCalled = false;
  const sent = send(() => {
    isCalled = true;
    return new Response();
  }, request);
  await expect(sent).rejects.toThrow(Unsendable);
  expect(isCalled).toBe(false);
});

test('reports a handler that throws, with its error, and one that returns no Response', async () => {
  const thrown = await send(() => Promise.reject(new RangeError('too far')));
  expect(thrown).toMatchObject({ kind: 'dropped', reason: 'the handler threw RangeError: too far' });
  // `as`: what a program without types may return.
  const nothing = await send(() => undefined as unknown as Response);
  expect(nothing).toMatchObject({ kind: 'dropped', reason: expect.stringContaining('returned no Response') });
});

test('reports a handler that does not answer in time or is aborted', async () => {
  expect(await send(never, {}, { timeoutMs: 1 })).toMatchObject({ kind: 'timed-out' });
  expect(await send(never, {}, { signal: AbortSignal.abort() })).toMatchObject({ kind: 'timed-out' });
});

test('decodes content, cuts long content, and drops the content of HEAD', async () => {
  const coded = await send(
    () => new Response(gzipSync('plain'), { headers: { 'content-encoding': 'gzip' } }),
  );
  expect(coded).toMatchObject({ response: { body: Buffer.from('plain') } });
  const long = await send(() => new Response('x'.repeat(5_000)), {}, { responseLimit: 2_000 });
  expect(long).toMatchObject({ response: { cutAfter: 2_000 } });
  const head = await send(() => new Response('content'), { method: 'HEAD' });
  expect(head).toMatchObject({ response: { body: new Uint8Array() } });
});

test('reads the first events of a stream that does not end', async () => {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('data: 1\n\n')) });
  const answer = await send(() => new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  expect(answer).toMatchObject({ kind: 'response', response: { body: Buffer.from('data: 1\n\n') } });
});
