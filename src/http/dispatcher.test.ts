import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fetch as undiciFetch, getGlobalDispatcher, request, setGlobalDispatcher } from 'undici';
import { expect, test, beforeEach, describe, vi } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { createMock } from '../mock/create-mock.ts';
import type { Mock } from '../mock/mock.ts';
import { createMemoryConnection } from './memory-connection.ts';

test('gives to each end what is written to the other, in order, and ends when it ends', async () => {
  const { client, server } = createMemoryConnection();
  const [asked, answered] = [once(server, 'end'), text(client)];
  let request = '';
  server.on('data', (piece) => (request += piece));
  client.write('a');
  client.end('b');
  await asked;
  expect(request).toBe('ab');
  server.write('c');
  server.end();
  expect(await answered).toBe('c');
});

test('takes no more than is read', async () => {
  const { client, server } = createMemoryConnection();
  let taken = 0;
  const piece = Buffer.alloc(16_384);
  while (client.write(piece)) {
    taken += 1;
  }
  await new Promise(setImmediate);
  expect(taken).toBeLessThan(10);
  const drained = once(client, 'drain');
  server.resume();
  await drained;
});

test('ends the other end where one is destroyed, after what was written to it', async () => {
  const { client, server } = createMemoryConnection();
  const answered = text(client);
  server.write('half');
  server.destroy();
  expect(await answered).toBe('half');
  expect(client.destroyed).toBe(true);
});

test('refuses what is written to an end whose other end is gone', async () => {
  const { client, server } = createMemoryConnection();
  server.destroy();
  client.write('a');
  const [error] = await once(client, 'error');
  expect(error).toMatchObject({ code: 'EPIPE' });
});

test('does not wait for ever where a reader goes away in the middle', async () => {
  const { client, server } = createMemoryConnection();
  while (client.write(Buffer.alloc(16_384)));
  const failed = once(client, 'error');
  server.destroy();
  client.write('a');
  expect((await failed)[0]).toMatchObject({ code: 'EPIPE' });
});

const orders = 'https://api.example.com/orders';
const json = { 'content-type': 'application/json' };
const network = getGlobalDispatcher();

let mock: Mock;
beforeEach(async () => {
  mock = await createMock(
    contractOf({
      paths: {
        '/orders': {
          post: {
            requestBody: {
              content: {
                'application/json': { schema: { $ref: '#/components/schemas/Order' } },
                'multipart/form-data': { schema: { $ref: '#/components/schemas/Order' } },
              },
            },
            responses: {
              201: {
                description: 'Created',
                content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
              },
              400: { description: 'Invalid' },
            },
          },
        },
      },
      components: {
        schemas: {
          Order: {
            type: 'object',
            required: ['id'],
            properties: { id: { type: 'integer', format: 'int64' }, note: { type: 'string' } },
          },
        },
      },
    }),
  );
  setGlobalDispatcher(await mock.dispatcher());
  return async () => {
    setGlobalDispatcher(network);
    await mock.close();
  };
});

const order = '{"id":9007199254740993,"note":"first"}';
const encoded = new TextEncoder().encode(order);

function pieces(): Uint8Array[] {
  return [encoded.slice(0, 7), encoded.slice(7)];
}

async function* slowly(): AsyncGenerator<Uint8Array> {
  for (const piece of pieces()) {
    await Promise.resolve();
    yield piece;
  }
}

describe.each([
  ['the global fetch', fetch],
  // `as`: the two differ in the names of their types alone.
  ['the fetch of undici', undiciFetch as unknown as typeof fetch],
])('%s', (_name, send) => {
  test.each([
    ['a text', () => order],
    ['bytes', () => encoded],
    ['a Blob', () => new Blob([order])],
    ['a stream', () => new Blob([order]).stream()],
    ['an async iterable', () => slowly()],
  ])('sends %s', async (_kind, body) => {
    // `as`: Node takes an async iterable too, and asks for `duplex` with whatever is no text.
    const init = { method: 'POST', headers: json, body: body(), duplex: 'half' } as RequestInit;
    const response = await send(orders, init);
    expect([response.status, await response.text()]).toEqual([201, order]);
  });

  test('reaches a mock that remembers, and keeps the digits of an id', async () => {
    const init = { method: 'POST', headers: json, body: order };
    expect((await send(orders, init)).status).toBe(201);
    expect((await send(orders, init)).status).toBe(400);
    const near = { ...init, body: order.replace('993', '992') };
    expect((await send('http://other.example/orders', near)).status).toBe(201);
  });

  test('may be aborted', async () => {
    const controller = new AbortController();
    const answer = send(orders, { method: 'POST', headers: json, body: order, signal: controller.signal });
    controller.abort();
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('reads no content in the answer to HEAD', async () => {
    const response = await send(orders, { method: 'HEAD' });
    expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([
      405,
      'POST, OPTIONS',
      '',
    ]);
  });

  test('sends a hundred requests side by side', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, id) =>
        send(orders, { method: 'POST', headers: json, body: JSON.stringify({ id }) }),
      ),
    );
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(
      answers.map((_, id) => JSON.stringify({ id })),
    );
  });
});

test('takes a form that the global fetch sends', async () => {
  const form = new FormData();
  form.set('id', '7');
  const answer = await fetch(orders, { method: 'POST', body: form });
  // Were it not told what it is, it would be refused as these are.
  const unenforced = await fetch(orders, { method: 'POST', body: 'id=7' });
  expect([answer.status, unenforced.status]).toEqual([201, 400]);
});

test('takes content that is larger than any buffer on its way', async () => {
  const note = 'n'.repeat(700_000);
  const response = await fetch(orders, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ id: 1, note }),
  });
  expect(await response.json()).toEqual({ id: 1, note });
});

test.each([
  ['a text', () => order],
  ['bytes', () => Buffer.from(order)],
  ['a stream of Node', () => Readable.from(pieces())],
])('answers request() of undici, which sends %s', async (_kind, body) => {
  const {
    statusCode,
    headers,
    body: answer,
  } = await request(orders, {
    method: 'POST',
    headers: ['Content-Type', 'application/json', 'X-Trace', '1'],
    body: body(),
  });
  expect([statusCode, headers['content-type'], await answer.text()]).toEqual([
    201,
    'application/json',
    order,
  ]);
});

describe('a dispatcher for some origins', () => {
  let elsewhere: Server;
  let other: string;
  beforeEach(async () => {
    elsewhere = createServer((_, response) => response.end('elsewhere'));
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
    // `as`: a server that listens on a port has such an address.
    other = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/orders`;
    setGlobalDispatcher(network);
    return () => elsewhere.close();
  });

  async function ask(url: string): Promise<string> {
    const response = await fetch(url);
    return `${response.status} ${await response.text()}`;
  }

  test('leaves all others to the network', async () => {
    setGlobalDispatcher(await mock.dispatcher({ origins: ['https://api.example.com/v1'] }));
    expect(await ask(orders)).toMatch(/^405 /u);
    expect(await ask(other)).toBe('200 elsewhere');
  });

  test('leaves all others to the dispatcher that it is given', async () => {
    const otherMock = await createMock(contractOf({ paths: {} }));
    const otherwise = await otherMock.dispatcher();
    setGlobalDispatcher(await mock.dispatcher({ origins: [new URL(orders)], otherwise }));
    expect(await ask(orders)).toMatch(/^405 /u);
    expect(await ask(other)).toMatch(/^404 /u);
    await otherMock.close();
  });

  test.each(['api.example.com', 'ftp://api.example.com'])('does not take %s for one', async (origin) => {
    await expect(mock.dispatcher({ origins: [origin] })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: `Failed to answer the origin "${origin}": it is no http or https URL. Write it as "https://api.example.com".`,
    });
  });
});

test('each mock has a state of its own', async () => {
  const other = await createMock(mock.contract);
  const init = { method: 'POST', headers: json, body: order };
  const dispatcher = await other.dispatcher();
  const answers = [
    await undiciFetch(orders, init),
    await undiciFetch(orders, { ...init, dispatcher }),
    await undiciFetch(orders, init),
    await undiciFetch(orders, { ...init, dispatcher }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 400, 400]);
  await other.reset();
  expect((await undiciFetch(orders, { ...init, dispatcher })).status).toBe(201);
  expect((await undiciFetch(orders, init)).status).toBe(400);
  await other.close();
});

test('answers while a test has stopped the timers', async () => {
  vi.useFakeTimers();
  try {
    const init = { method: 'POST', headers: json, body: order };
    // With its content read, a connection is free for the next request.
    expect(await (await fetch(orders, init)).text()).toBe(order);
    expect(await (await fetch(orders, init)).text()).not.toBe(order);
    mock.faults.put({ connection: 'drop', times: 1 });
    await expect(fetch(orders, init)).rejects.toThrow('fetch failed');
  } finally {
    vi.useRealTimers();
  }
});

test('a mock that is closed answers no more', async () => {
  await mock.close();
  await expect(fetch(orders)).rejects.toThrow('fetch failed');
});

describe('what goes wrong by a rule', () => {
  const init = { method: 'POST', headers: json, body: order };

  test('a dropped connection rejects what was fetched, and leaves the next request alone', async () => {
    expect((await fetch(orders, { ...init, body: '{"id":1}' })).status).toBe(201);
    mock.faults.put({ connection: 'drop', times: 1 });
    await expect(fetch(orders, init)).rejects.toThrow('fetch failed');
    expect((await fetch(orders, init)).status).toBe(201);
  });

  test('a truncated body breaks off while it is read', async () => {
    mock.faults.put({ connection: 'truncate', times: 1 });
    const response = await fetch(orders, init);
    expect(response.status).toBe(201);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  test('an answer that is held back may be given up on', async () => {
    mock.faults.put({ delay: 60_000 });
    const answer = fetch(orders, { ...init, signal: AbortSignal.timeout(20) });
    await expect(answer).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('an answer that is held back ends with the mock', async () => {
    mock.faults.put({ delay: 60_000 });
    const answer = fetch(orders, init).catch(String);
    await mock.requests.waitFor({}, { timeoutMs: 1 });
    await mock.close();
    expect(await answer).toBe('TypeError: fetch failed');
  });

  test('an answer that is forced comes with its fields', async () => {
    mock.faults.put({ answer: { status: 503, headers: { 'X-Why': 'watering' }, retryAfter: 3 } });
    const response = await fetch(orders, init);
    expect([response.status, response.headers.get('x-why'), response.headers.get('retry-after')]).toEqual([
      503,
      'watering',
      '3',
    ]);
  });
});

test('takes an object for a document, and says what is wrong with it at its line', async () => {
  const given = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} };
  const one = await createMock(given);
  expect((await one.fetch('/orders')).status).toBe(404);
  await expect(createMock({ ...given, paths: [] })).rejects.toThrow(
    /^Failed to read "the document": the document:7:3: paths: /u,
  );
});
