import { expect, test, vi } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { type MockClient, openMock } from '../../../fixtures/mock-client.ts';
import type { Handler } from '../user-handlers/handler.ts';
import { IdempotencyKeys } from './idempotency-keys.ts';

const order = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', readOnly: true }, note: { type: 'string' } },
};
const content = { 'application/json': { schema: order } };
const header = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } };
const created = { 201: { description: 'Created.', content } };

function open(responses: object = {}, parameter: object = header): Promise<MockClient> {
  const post = {
    operationId: 'createOrder',
    security: [{ bearer: [] }],
    parameters: [parameter],
    requestBody: { content },
    responses: { ...created, ...responses },
  };
  const list = {
    responses: {
      200: {
        description: 'All.',
        content: { 'application/json': { schema: { type: 'array', items: order } } },
      },
    },
  };
  const change = {
    operationId: 'change',
    parameters: [header],
    requestBody: { content },
    responses: { 200: { description: 'Changed.', content } },
  };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const paths = { '/orders': { get: list, post }, '/orders/{id}': { parameters: [id], patch: change } };
  const components = { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } };
  // `as`: the contract is built from plain JSON.
  return openMock(contractOf(JSON.parse(JSON.stringify({ paths, components }))), undefined, {
    authorization: 'Bearer a',
  });
}
const key = { 'idempotency-key': 'k1' };

async function count({ get }: MockClient): Promise<number> {
  const { body } = await get('/orders');
  return Array.isArray(body) ? body.length : -1;
}

test.each(['Idempotency-Key', 'idempotency-key', 'X-Idempotency-Key'])(
  'repeats the response to the same %s, and creates no second item',
  async (name) => {
    const client = await open({}, { ...header, name });
    const sent = { [name]: 'k1' };
    const first = await client.post('/orders', { note: 'tea' }, sent);
    const again = await client.post('/orders', '{ "note": "tea" }', sent);
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect([...again.headers]).toEqual([...first.headers]);
    expect(await count(client)).toBe(1);
    const entry = client.mock.requests.list({ operation: 'createOrder' }).at(-1);
    expect(entry?.message ?? '').toContain('was sent before');
  },
);

test('creates another item for another key, for other credentials and without a key', async () => {
  const client = await open();
  const sent: readonly object[] = [
    key,
    { 'idempotency-key': 'k2' },
    { ...key, authorization: 'Bearer b' },
    {},
    {},
  ];
  for (const headers of sent) expect((await client.post('/orders', {}, { ...headers })).status).toBe(201);
  expect(await count(client)).toBe(5);
});

test.each([
  [{}, 422, 'idempotency-key-reused'],
  [{ 409: { description: 'Conflict.' } }, 409, null],
  [{ 422: { description: 'Reused.' }, 409: { description: 'Conflict.' } }, 422, null],
])('refuses the same key with another body: the responses %j give %i', async (responses, status, mark) => {
  const client = await open(responses);
  await client.post('/orders', { note: 'tea' }, key);
  const refused = await client.post('/orders', { note: 'coffee' }, key);
  expect([refused.status, refused.undeclared, await count(client)]).toEqual([status, mark, 1]);
});

test('refuses the same key for another item', async () => {
  const { post, send } = await open();
  for (const id of [1, 2]) expect((await post('/orders', {})).body).toMatchObject({ id });
  expect((await send('PATCH /orders/1', { note: 'tea' }, key)).status).toBe(200);
  expect((await send('PATCH /orders/2', { note: 'tea' }, key)).status).toBe(422);
});

test('refuses a retry while the first request is in progress, and repeats its response afterwards', async () => {
  const client = await open();
  let proceed = (): void => undefined;
  const gate = new Promise<void>((resolve) => (proceed = resolve));
  const handler = vi.fn<Handler>(async ({ next }) => {
    await gate;
    return next();
  });
  client.mock.answer('createOrder', handler);
  const first = client.post('/orders', {}, key);
  await vi.waitFor(() => expect(handler).toHaveBeenCalled());
  const early = await client.post('/orders', {}, key);
  expect([early.status, early.undeclared]).toEqual([409, 'idempotency-key-in-flight']);
  proceed();
  const { text } = await first;
  expect((await client.post('/orders', {}, key)).text).toBe(text);
  expect(handler).toHaveBeenCalledOnce();
});

test('carries out a request again if the first one failed', async () => {
  const client = await open();
  expect((await client.post('/orders', { note: 1 }, key)).status).toBe(400);
  client.mock.answer('createOrder', { status: 503 });
  expect((await client.post('/orders', {}, key)).status).toBe(503);
  client.mock.answer('createOrder', () => {
    throw new Error('broken');
  });
  expect((await client.post('/orders', {}, key)).status).toBe(500);
  await client.mock.reset(['handlers']);
  expect((await client.post('/orders', {}, key)).status).toBe(201);
});

test('does not keep a response that the request prefers', async () => {
  const client = await open({ 202: { description: 'Later.' } });
  expect((await client.post('/orders', {}, { ...key, prefer: 'code=202' })).status).toBe(202);
  expect((await client.post('/orders', {}, key)).status).toBe(201);
  expect((await client.post('/orders', {}, { ...key, prefer: 'code=202' })).status).toBe(202);
});

test('forgets the keys at a reset of the state', async () => {
  const client = await open();
  await client.post('/orders', { note: 'tea' }, key);
  await client.mock.reset(['requests']);
  expect((await client.post('/orders', {}, key)).status).toBe(422);
  await client.mock.reset(['state']);
  expect((await client.post('/orders', {}, key)).status).toBe(201);
  expect(await count(client)).toBe(1);
});

test('forgets the oldest keys beyond 10,000, and beyond 64 MiB of content', () => {
  const keys = new IdempotencyKeys();
  const add = (scope: string, body = ''): void => {
    const first = { sent: '' };
    keys.begin(scope, first);
    keys.end(scope, first, { status: 201, headers: [], body, note: {} });
  };
  for (let index = 0; index <= 10_000; index += 1) add(String(index));
  expect([keys.find('0'), keys.find('1')?.sent]).toEqual([undefined, '']);
  add('long', 'x'.repeat(40_000_000));
  add('longer', 'x'.repeat(40_000_000));
  expect([keys.find('long'), keys.find('10000'), keys.find('longer')?.sent]).toEqual([
    undefined,
    undefined,
    '',
  ]);
});
