import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openOrderMock, type OrderMock } from '../../../fixtures/open-order-mock.ts';
import type { Mock, MockOptions } from '../mock.ts';
import type { RequestFilter, Times } from './filter.ts';
import { Waiters } from './request-log.ts';

const wait = { fits: (): boolean => true, count: 1, times: 1, timeoutMs: 60_000, signal: undefined };

test('lets everybody go whose time is over, who is aborted or who has waited long enough', async () => {
  const line = new Waiters();
  const controller = new AbortController();
  const waiting = [
    line.join({ ...wait, timeoutMs: 0 }),
    line.join({ ...wait, timeoutMs: Infinity }),
    line.join({ ...wait, signal: controller.signal }).catch((error: unknown) => error),
  ];
  expect(line.size).toBe(3);
  await waiting[0];
  expect(line.size).toBe(2);
  controller.abort('gone');
  expect(await waiting[2]).toBe('gone');
  line.end();
  await waiting[1];
  expect(line.size).toBe(0);
});

test('does not let anybody in who has aborted before', async () => {
  const line = new Waiters();
  await expect(line.join({ ...wait, signal: AbortSignal.abort('early') })).rejects.toBe('early');
  expect(line.size).toBe(0);
});

let mock: Mock;
let post: OrderMock['post'];

async function open(options?: MockOptions): Promise<void> {
  ({ mock, post } = await openOrderMock(options));
}

test('keeps what came and what was answered, the oldest first', async () => {
  await open();
  await post('{"id":1,"name":"Ann"}', { 'x-trace': 'ä' });
  await post('{"id":1,"name":"Ann"}');
  expect(mock.requests.list()).toMatchObject([
    {
      id: 1,
      method: 'POST',
      target: '/orders',
      operation: 'createOrder',
      status: 200,
      verdict: 'accepted',
      problems: [],
      request: { body: '{"id":1,"name":"Ann"}', bytes: 21 },
      response: { body: '{"id":1,"name":"Ann"}', bytes: 21 },
    },
    {
      id: 2,
      status: 400,
      verdict: 'refused',
      condition: 'duplicate-key',
      problems: [{ pointer: '/id', clause: { in: 'policy', text: 'duplicate-key: refuse' } }],
    },
  ]);
  expect(mock.requests.list()[0]?.request.headers).toContainEqual(['x-trace', 'ä']);
  expect(mock.requests.get(2)).toMatchObject({ id: 2 });
  expect([0, 3, -1, 1.5, Number.NaN].map((id) => mock.requests.get(id))).toEqual(Array(5).fill(undefined));
});

test('lets the oldest go where there is no room, and counts them', async () => {
  await open({ logBytes: 20_000 });
  for (let id = 1; id <= 60; id += 1) {
    await post(`{"id":${id},"name":"Ann"}`);
  }
  const kept = mock.requests.list();
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.length).toBeLessThan(60);
  expect(kept.at(-1)?.id).toBe(60);
  expect(mock.requests.dropped).toBe(60 - kept.length);
  expect(mock.requests.get(60 - kept.length)).toBeUndefined();
  expect(mock.requests.get(61 - kept.length)?.request.body).toBe(`{"id":${61 - kept.length},"name":"Ann"}`);
  mock.requests.clear();
  expect([mock.requests.dropped, mock.requests.list().length, mock.requests.get(60)]).toEqual([
    0,
    0,
    undefined,
  ]);
  await post('{}');
  expect(mock.requests.list()).toMatchObject([{ id: 61 }]);
});

test('keeps the head of a request that is larger than the log, and why it was refused', async () => {
  await open({ logBytes: 20_000 });
  await post('{"id":1,"name":"Ann"}');
  await post(`{"name":"${'x'.repeat(30_000)}"}`);
  expect(mock.requests.list({ after: 1 })).toMatchObject([
    {
      id: 2,
      target: '/orders',
      request: { bytes: 30_011, missing: 'not-kept' },
      response: { body: expect.stringContaining('not valid') },
      problems: [{ pointer: '/id' }, { pointer: '/name' }],
      curl: expect.stringMatching(/ # without its content$/u),
    },
  ]);
});

test('keeps nothing where it has no room at all, and refuses what is no room', async () => {
  await open({ logBytes: 0 });
  expect(await post('{"id":1,"name":"Ann"}')).toBe(200);
  expect(mock.requests.list()).toEqual([]);
  await expect(openOrderMock({ logBytes: -1 })).rejects.toMatchObject({ code: 'OPTION_INVALID' });
});

test('finds requests by what is asked for', async () => {
  await open();
  await post('{"id":9007199254740993,"name":"Ann","owner":{"age":1e1}}', { 'X-Trace': 'a' });
  await post('{"name":"Bo"}');
  await mock.fetch('/shops/7?key=s3cret-token');
  await mock.fetch('/nowhere');
  const { requests } = mock;
  const idsOf = (filter: Parameters<typeof requests.list>[0], limit?: number): readonly number[] =>
    requests.list(filter, limit).map(({ id }) => id);
  expect(idsOf({ operation: 'createOrder' })).toEqual([1, 2]);
  expect(idsOf({ method: 'get' })).toEqual([3, 4]);
  expect(idsOf({ path: '/shops/7' })).toEqual([3]);
  expect(idsOf({ path: '/shops/{shop}' })).toEqual([3]);
  expect(idsOf({ status: 404 })).toEqual([4]);
  expect(idsOf({ verdict: 'refused' })).toEqual([2, 4]);
  expect(idsOf({ condition: 'unknown-path' })).toEqual([4]);
  expect(idsOf({ search: 'BO' })).toEqual([2]);
  expect(idsOf({ after: 2 })).toEqual([3, 4]);
  expect(idsOf({ headers: { 'x-trace': 'a' } })).toEqual([1]);
  expect(idsOf({ body: { owner: { age: 10 } } })).toEqual([1]);
  expect(idsOf({ body: { id: 9007199254740992 } })).toEqual([]);
  expect(idsOf({ body: {} })).toEqual([1, 2]);
  expect(idsOf({}, 2)).toEqual([3, 4]);
  expect(idsOf({}, 0)).toEqual([]);
});

test('waits for requests, those that came before included', async () => {
  await open();
  await post('{"id":1,"name":"Ann"}');
  expect(await mock.requests.waitFor({ status: 200 })).toHaveLength(1);
  const two = mock.requests.waitFor({ status: 200 }, { times: 2 });
  await post('{}');
  await post('{"id":2,"name":"Ann"}');
  expect((await two).map(({ id }) => id)).toEqual([1, 3]);
  expect(await mock.requests.waitFor({ status: 201 }, { timeoutMs: 0 })).toEqual([]);
});

test('counts anew where the log is cleared while somebody waits', async () => {
  await open();
  await post('{"id":1,"name":"Ann"}');
  const two = mock.requests.waitFor({ status: 200 }, { times: 2 });
  mock.requests.clear();
  await post('{"id":2,"name":"Ann"}');
  await post('{"id":3,"name":"Ann"}');
  expect((await two).map(({ id }) => id)).toEqual([2, 3]);
});

test('waits no longer where it is aborted or the mock is closed', async () => {
  await open();
  const controller = new AbortController();
  const aborted = mock.requests.waitFor({}, { signal: controller.signal, timeoutMs: 60_000 });
  controller.abort(new Error('enough'));
  await expect(aborted).rejects.toThrow('enough');
  await expect(mock.requests.waitFor({}, { signal: controller.signal })).rejects.toThrow('enough');
  const closed = mock.requests.waitFor({}, { timeoutMs: 60_000 });
  await mock.close();
  expect(await closed).toEqual([]);
});

test('verifies how often requests came', async () => {
  await open();
  await post('{"id":1,"name":"Ann"}');
  await post('{"id":2,"name":"Ann"}');
  const filter = { method: 'post', path: '/orders', status: 200 };
  expect(mock.requests.verify(filter)).toEqual({
    verified: true,
    count: 2,
    message: 'Expected POST /orders (status 200) at least once; it was sent twice (2 requests in all).',
  });
  expect(mock.requests.verify(filter, 2).verified).toBe(true);
  expect(mock.requests.verify(filter, { atLeast: 1, atMost: 2 }).verified).toBe(true);
  expect(mock.requests.verify(filter, 1)).toEqual({
    verified: false,
    count: 2,
    message: 'Expected POST /orders (status 200) once; it was sent twice (2 requests in all).',
  });
  expect(mock.requests.verify({ status: 404 }, 0).verified).toBe(true);
  expect(mock.requests.verify({ operation: 'createOrder' }, 0)).toMatchObject({
    verified: false,
    message: 'Expected no createOrder; it was called twice (2 requests in all).',
  });
  expect(mock.requests.verify({ after: 1 }, 0).message).toBe(
    'Expected no request (after request 1); it was sent once (2 requests in all).',
  );
});

test('names the request that comes nearest to what was expected', async () => {
  await open();
  await post('{"id":1,"name":"Ann"}', { 'x-trace': 's3cret-token' });
  await mock.fetch('/nowhere');
  const { verified, message, nearest } = mock.requests.verify(
    { method: 'POST', path: '/orders', body: { name: 'Bo' }, headers: { 'X-Trace': 'b' } },
    2,
  );
  expect(verified).toBe(false);
  expect(nearest?.request.id).toBe(1);
  expect(nearest?.differences).toEqual([
    'its header X-Trace is "***", not "b"',
    '/name of its body is "Ann", not "Bo"',
  ]);
  expect(message).toBe(
    'Expected POST /orders (header X-Trace, body containing {"name":"Bo"}) twice; it was sent 0 times (2 requests in all). The nearest is request 1, POST /orders: its header X-Trace is "***", not "b", and /name of its body is "Ann", not "Bo".',
  );
});

test('keeps what is no request, as far as it is known', async () => {
  await open();
  const { url } = await mock.listen();
  await fetch(`${url}/nowhere`);
  const socket = connect(Number(new URL(url).port), '127.0.0.1').resume();
  socket.write('nonsense\r\n\r\n');
  await once(socket, 'close');
  expect(mock.requests.list()).toMatchObject([
    { method: 'GET', target: '/nowhere', curl: expect.stringContaining(`'${url}/nowhere'`) },
    { method: '-', target: '-', status: 400, condition: 'not-http', curl: '' },
  ]);
});

test('counts the delay of a fault into the duration, and names the rule', async () => {
  await open();
  mock.faults.put({ id: 'slow', delay: 5, answer: { status: 503 } });
  await post('{"id":1,"name":"Ann"}');
  const [request] = mock.requests.list();
  expect(request).toMatchObject({ status: 503, verdict: 'forced', fault: 'slow' });
  expect(request?.durationMs).toBeGreaterThanOrEqual(5);
});

test('refuses a filter that would mean every request', async () => {
  await open();
  await post('{"id":1,"name":"Ann"}');
  // `as`: what the types refuse is what is tried.
  const slip = { opration: 'createOrder' } as RequestFilter;
  const sentence =
    'Failed to filter requests by "opration": there is none of this name. Perhaps "operation" was meant.';
  expect(() => mock.requests.verify(slip, 1)).toThrow(sentence);
  expect(() => mock.requests.list(slip)).toThrow(sentence);
  await expect(mock.requests.waitFor(slip)).rejects.toThrow(sentence);
});

test('verifies nothing of an operation that was never there', async () => {
  await open();
  expect(mock.requests.verify({ operation: 'createOrdre' }, 0)).toEqual({
    verified: false,
    count: 0,
    message:
      'Expected no createOrdre. The document has no operation "createOrdre". Did you mean "createOrder"?',
  });
  expect(mock.requests.verify({ operation: 'getShop' }, 0).verified).toBe(true);
});

test('refuses to expect requests no number of times', async () => {
  await open();
  // `as`: what the types refuse is what is tried.
  expect(() => mock.requests.verify({}, { atleast: 1 } as Times)).toThrow('Perhaps "atLeast" was meant');
  expect(() => mock.requests.verify({}, -1)).toThrow('it is no whole number from 0 on');
  expect(() => mock.requests.verify({}, { atLeast: Number.NaN })).toThrow('it is no whole number from 0 on');
  expect(mock.requests.verify({}, { atLeast: 5, atMost: 1 })).toMatchObject({
    verified: false,
    message:
      'Expected a request at least 5 times and at most once, which is impossible; it was sent 0 times (0 requests in all).',
  });
  expect(mock.requests.verify({}, { atLeast: 0, atMost: Infinity }).verified).toBe(true);
  // `as`: likewise.
  const options = { timeout: 1 } as { timeoutMs?: number };
  await expect(mock.requests.waitFor({}, options)).rejects.toThrow('Perhaps "timeoutMs" was meant');
});

test('still finds the requests of an operation that the contract has no more', async () => {
  await open();
  await post('{"id":1,"name":"Ann"}');
  const { contract } = mock;
  await mock.change({ contract: { ...contract, operations: contract.operations.slice(1) } });
  expect(mock.requests.verify({ operation: 'createOrder' }, 1).verified).toBe(true);
});

test('tells no time before the one at which the clock stands', async () => {
  await open();
  mock.clock.freeze(true);
  await mock.fetch('/orders', { method: 'DELETE' });
  for (let id = 1; id <= 50; id += 1) {
    await post(`{"id":${id},"name":"${'Ann'.repeat(5_000)}"}`);
  }
  expect(new Set(mock.requests.list().map(({ time }) => time))).toEqual(new Set([mock.clock.now()]));
});
