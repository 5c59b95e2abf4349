import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock.ts';
import type { FaultRule } from './fault.ts';

const plantStore = fileURLToPath(new URL('../../../spec/plant-store.yaml', import.meta.url));
const hour = 3_600_000;
afterEach(() => {
  vi.useRealTimers();
});

function openMock(...faults: readonly FaultRule[]): Promise<Mock> {
  return createMock(plantStore, { tokens: ['t'], faults });
}

const get = { method: 'GET', target: '/plants', headers: [], body: undefined };

test('fetch rejects where the connection is dropped, as over a network', async () => {
  const mock = await openMock({ connection: 'drop' });
  const error: unknown = await mock.fetch('/plants').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'UND_ERR_SOCKET' } });
});

test('fetch gives an answer that is cut off with its length, and fails in the middle of the content', async () => {
  const mock = await openMock({ connection: 'truncate' });
  const response = await mock.fetch('/plants');
  expect(response.status).toBe(405);
  const length = Number(response.headers.get('content-length'));
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(first?.value?.length).toBe(length >> 1);
  await expect(reader?.read()).rejects.toThrow(new TypeError('terminated'));
});

test('fetch rejects where there is no content to cut off', async () => {
  const mock = await openMock({ connection: 'truncate' });
  await expect(mock.fetch('/plants', { method: 'HEAD' })).rejects.toThrow(TypeError);
});

test('fetch is held back for as long as the rule says', async () => {
  const mock = await openMock({ delay: hour });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let status: number | undefined;
  const answered = mock.fetch('/plants').then((response) => {
    status = response.status;
    return status;
  });
  await vi.advanceTimersByTimeAsync(hour - 1);
  expect(status).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await answered;
  expect(status).toBe(405);
});

test('a signal ends a delay, with its own reason', async () => {
  const mock = await openMock({ delay: hour });
  const controller = new AbortController();
  const answer = mock.fetch('/plants', { signal: controller.signal });
  setImmediate(() => controller.abort(new Error('enough')));
  await expect(answer).rejects.toThrow('enough');
  const sending = mock.send(get, { signal: AbortSignal.timeout(1) });
  expect(await sending).toMatchObject({ kind: 'timed-out', received: new Uint8Array() });
});

test('lets what is held back come at once when the mock is closed', async () => {
  const mock = await openMock({ delay: hour, connection: 'truncate' });
  const fetched = mock.fetch('/plants');
  const sent = mock.send(get);
  await expect.poll(() => mock.requests.list().length).toBe(2);
  await mock.close();
  expect((await fetched).status).toBe(405);
  expect(await sent).toMatchObject({ kind: 'dropped' });
});

test('send says what had come of an answer that was dropped, or cut off', async () => {
  const dropped = await (await openMock({ connection: 'drop' })).send(get);
  expect(dropped).toEqual({
    kind: 'dropped',
    reason: 'the connection was closed before an answer came',
    received: new Uint8Array(),
  });
  const cut = await (await openMock({ connection: 'truncate' })).send(get);
  expect(cut).toMatchObject({
    kind: 'dropped',
    reason: expect.stringContaining('in the middle of the answer'),
  });
  const received = new TextDecoder().decode('received' in cut ? cut.received : undefined);
  expect(received).toMatch(/^HTTP\/1\.1 405 \r\n[^]*\r\n\r\n\{"error":405/u);
  expect(received.endsWith('}')).toBe(false);
});

test('an undici dispatcher sees a fault as it would see one of the network', async () => {
  const mock = await openMock({ connection: 'drop', times: 1 });
  const options: object = { dispatcher: await mock.dispatcher() };
  // `as`: fetch takes a dispatcher, and its types leave it out.
  const init = options as RequestInit;
  await expect(fetch('http://plants.example/plants', init)).rejects.toThrow(TypeError);
  expect((await fetch('http://plants.example/plants', init)).status).toBe(405);
  await mock.close();
});
