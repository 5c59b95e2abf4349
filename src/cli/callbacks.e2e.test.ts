import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { type MockAndReceiver, startMockAndReceiver } from '../../fixtures/mock-and-receiver.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';
import { createMock } from '../mock/create-mock.ts';
import type { SentCallback } from '../mock/callbacks/callback.ts';

const document = `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /orders:
    post:
      operationId: createOrder
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
      responses:
        '201':
          description: New.
          content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
      callbacks:
        shipped:
          '{$request.body#/notify}?id={$response.body#/id}&by={$request.header.x-client}':
            put:
              requestBody:
                content: { application/json: { example: { state: shipped, text: 'für dich' } } }
              responses: { '204': { description: Received. } }
webhooks:
  restocked:
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [count, made]
              properties: { count: { const: 3 }, made: { type: string, readOnly: true } }
      responses: { '204': { description: Received. } }
components:
  schemas:
    Order: { type: object, properties: { id: { type: integer }, notify: { type: [string, 'null'] } } }
`;

let folder: string;
let mock: MockAndReceiver['mock'];
let receiver: MockAndReceiver['receiver'];
let there: string;
let nextId = 0;

beforeAll(async () => {
  const started = await startMockAndReceiver(document, {
    answer({ url }, response) {
      const isFirst = receiver.received.filter((each) => each.url === url).length === 1;
      if (url.startsWith('/busy') && isFirst) response.statusCode = 503;
      else if (url.startsWith('/moved')) response.writeHead(307, { Location: '/new' });
      else response.statusCode = 204;
      response.end();
    },
    words: () => ['--callbacks', 'loopback'],
  });
  ({ folder, mock, receiver } = started);
  there = receiver.url;
  return started.stop;
}, 60_000);

/** Creates an order, and returns its callback when its outcome is known. */
async function order(notify: string | null, fields: Record<string, string> = {}): Promise<SentCallback> {
  nextId += 1;
  const answer = await fetch(`${mock.url}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-client': 'a', ...fields },
    body: JSON.stringify({ id: nextId, notify }),
  });
  expect(answer.status).toBe(201);
  return vi.waitFor(
    async () => {
      const { callbacks } = await listCallbacks();
      const last = callbacks.at(-1);
      expect(last?.id).toBe(nextId);
      if (last === undefined) throw new Error('There is no callback.');
      return last;
    },
    { timeout: 10_000, interval: 20 },
  );
}

async function listCallbacks(): Promise<{ readonly callbacks: readonly SentCallback[] }> {
  const answer = await fetch(`${mock.url}/__cloche/callbacks`);
  // `as`: the document of the control interface declares it.
  return (await answer.json()) as { readonly callbacks: readonly SentCallback[] };
}

const receivedAt = (path: string): readonly object[] =>
  receiver.received
    .filter(({ url }) => url.startsWith(path))
    .map(({ method, url, headers, body }) => ({ method, url, type: headers['content-type'], body }));

test('a callback is sent with the values of the exchange', async () => {
  expect(await order(`${there}/done`)).toMatchObject({
    kind: 'callback',
    name: 'shipped',
    operation: 'createOrder',
    method: 'PUT',
    url: `${there}/done?id=1&by=a`,
    body: '{"state":"shipped","text":"für dich"}',
    outcome: 'sent',
    status: 204,
    attempts: 1,
  });
  expect(receivedAt('/done')).toEqual([
    {
      method: 'PUT',
      url: '/done?id=1&by=a',
      type: 'application/json',
      body: '{"state":"shipped","text":"für dich"}',
    },
  ]);
});

test('a callback is sent again after 503', async () => {
  expect(await order(`${there}/busy`)).toMatchObject({ outcome: 'sent', status: 204, attempts: 2 });
  expect(receivedAt('/busy')).toHaveLength(2);
  const line = `Callback shipped of createOrder, PUT ${there}/busy?id=2&by=a: sent, status 204 (2 attempts)\n`;
  await expect.poll(mock.output).toContain(line);
});

test('a redirect is not followed', async () => {
  expect(await order(`${there}/moved`)).toMatchObject({
    outcome: 'failed',
    status: 307,
    attempts: 1,
    message: 'it answered 307; redirects are not followed',
  });
  expect(receivedAt('/new')).toEqual([]);
});

test('other hosts, the control interface and URLs with a password are refused', async () => {
  const port = new URL(there).port;
  const urls = [
    'http://shop.example/',
    'http://0.0.0.0:1/',
    'http://10.0.0.1/',
    'http://[::ffff:7f00:1]/',
    'http://localhost.shop.example/',
    `http://127.0.0.1@shop.example:${port}/`,
    `${mock.url}/__cloche/reset`,
    `${mock.url}/%5f_cloche/reset`,
    `http://user:password@127.0.0.1:${port}/`,
  ];
  for (const url of urls) {
    const callback = await order(url);
    expect(callback).toMatchObject({ outcome: 'refused', attempts: 0 });
    expect(callback.url).not.toContain('password');
  }
  const about = await order(`${there}/loop`, { 'user-agent': 'cloche-mock' });
  expect(about).toMatchObject({ outcome: 'refused', message: 'the request is itself a callback of a mock' });
});

test('a callback without a URL in the exchange fails, and a credential in its URL is hidden', async () => {
  expect(await order(null)).toMatchObject({
    url: '{$request.body#/notify}?id={$response.body#/id}&by={$request.header.x-client}',
    outcome: 'failed',
    attempts: 0,
    message: 'the exchange has no $request.body#/notify',
  });
  const hidden = await order(`${there}/hidden/secret-7-token`, { authorization: 'Bearer secret-7-token' });
  expect(hidden).toMatchObject({ outcome: 'sent', url: `${there}/hidden/***?id=${nextId}&by=a` });
});

test('cloche webhook sends a webhook, and exits with 1 if it is refused', async () => {
  const send = (...words: string[]): ReturnType<typeof runCloche> =>
    runCloche(['webhook', ...words, '--mock', mock.url], { folder });
  const sent = await send('restocked', '--to', `${there}/hook`);
  expect(sent).toMatchObject({
    code: 0,
    stdout: `Webhook restocked, POST ${there}/hook: sent, status 204\n`,
  });
  const refused = await send('restocked', '--to', 'http://shop.example/', '--body', '{"count":4}');
  expect(refused).toMatchObject({
    code: 1,
    stdout:
      'Webhook restocked, POST http://shop.example/: refused: shop.example is not this machine, and --callbacks is not any\n',
  });
  const unknown = await send('sold', '--to', there);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('the document declares no such webhook. Use one of restocked');
  expect(receivedAt('/hook')).toMatchObject([{ method: 'POST', body: '{"count":3}' }]);
});

test('callbacks are off by default, webhooks then reach this machine only, and `any` allows all hosts', async () => {
  const logged: SentCallback[] = [];
  await using plain = await createMock(join(folder, 'shop.yaml'), {
    logCallback: (callback) => logged.push(callback),
  });
  const init = { method: 'POST', headers: { 'content-type': 'application/json', 'x-client': 'a' } };
  const body = JSON.stringify({ id: 1, notify: `${there}/off` });
  expect((await plain.fetch('/orders', { ...init, body })).status).toBe(201);
  await expect.poll(() => plain.callbacks.list()).toHaveLength(1);
  expect(plain.callbacks.list()).toEqual(logged);
  expect(logged).toMatchObject([
    { outcome: 'off', url: `${there}/off?id=1&by=a`, attempts: 0, message: '--callbacks off' },
  ]);
  expect(receivedAt('/off')).toEqual([]);
  const service = await plain.fetch('/__cloche/service');
  const notices = ['Callbacks are not sent, because the mock runs with --callbacks off.'];
  expect(await service.json()).toMatchObject({ notices });
  const given = await plain.callbacks.send('restocked', { url: `${there}/given`, body: { count: 5 } });
  expect(given).toMatchObject({ outcome: 'sent', body: '{"count":5}' });
  expect(receivedAt('/given')).toMatchObject([{ body: '{"count":5}' }]);
  expect(await plain.callbacks.send('restocked', { url: 'http://shop.example/' })).toMatchObject({
    outcome: 'refused',
  });
  await plain.reset(['requests']);
  expect(plain.callbacks.list()).toEqual([]);
  const mapped = { url: `http://[::ffff:127.0.0.1]:${new URL(there).port}/mapped` };
  expect(await plain.callbacks.send('restocked', mapped)).toMatchObject({ outcome: 'refused' });
  await using open = await createMock(join(folder, 'shop.yaml'), { callbacks: 'any' });
  expect(await open.callbacks.send('restocked', mapped)).toMatchObject({ outcome: 'sent' });
});
