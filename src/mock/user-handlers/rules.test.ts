import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonValue } from '../../json/value.ts';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock.ts';
import { readRules } from './rules.ts';

const order = {
  type: 'object',
  properties: { id: { type: 'integer' }, status: { type: 'string' }, note: { type: 'string' } },
};
const content = { 'application/json': { schema: order } };
const one = { description: 'One.', content };
const document = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders': {
      post: { operationId: 'createOrder', requestBody: { content }, responses: { 201: one, 402: one } },
    },
    '/orders/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        operationId: 'getOrder',
        parameters: [{ name: 'expand', in: 'query', schema: { type: 'boolean' } }],
        responses: { 200: one, 404: { description: 'None.' } },
      },
    },
    '/settings': {
      get: { operationId: 'getSettings', responses: { 200: one } },
      put: { operationId: 'putSettings', requestBody: { content }, responses: { 200: one } },
    },
  },
};

const ids = ['createOrder', 'getOrder', 'getSettings', 'putSettings'];
let mock: Mock;

beforeEach(async () => {
  mock = await createMock(document, { data: { '/orders': [{ id: 7, status: 'paid', note: 'x' }] } });
});

afterEach(() => mock.close());

async function use(rules: readonly JsonValue[]): Promise<void> {
  const { handlers, problems } = readRules(rules, ids);
  expect(problems).toEqual([]);
  await mock.change({ handlers });
}

async function read(target: string, headers = {}): Promise<readonly [status: number, body: unknown]> {
  const response = await mock.fetch(target, { headers });
  const text = await response.text();
  return [response.status, text === '' ? undefined : JSON.parse(text)];
}

test('the first rule whose conditions a request meets answers it', async () => {
  const respond = (note: string): JsonValue => ({ body: { id: 1, note } });
  await use([
    { operation: 'getOrder', when: { path: { id: 9 } }, respond: respond('path') },
    { operation: 'getOrder', when: { query: { expand: true } }, respond: respond('query') },
    { operation: 'getOrder', when: { header: { 'x-beta': 1 } }, respond: respond('header') },
    {
      operation: 'getOrder',
      when: { state: { '/orders/7': { status: 'sent' } } },
      respond: respond('state'),
    },
    {
      operation: 'getOrder',
      when: { path: { id: 8 }, state: { '/orders/8': null } },
      respond: respond('none'),
    },
  ]);
  expect(await read('/orders/9')).toEqual([200, { id: 1, note: 'path' }]);
  expect(await read('/orders/7?expand=true')).toEqual([200, { id: 1, note: 'query' }]);
  expect(await read('/orders/7', { 'X-Beta': '1' })).toEqual([200, { id: 1, note: 'header' }]);
  expect(await read('/orders/8')).toEqual([200, { id: 1, note: 'none' }]);
  expect(await read('/orders/7')).toEqual([200, { id: 7, status: 'paid', note: 'x' }]);
  await mock.state.put('/orders', { id: 7, status: 'sent' });
  expect(await read('/orders/7')).toEqual([200, { id: 1, note: 'state' }]);
});

test('a rule matches a part of the body', async () => {
  await use([
    { operation: 'createOrder', when: { body: { status: 'free' } }, respond: { status: 402, body: {} } },
  ]);
  const create = async (body: string): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    return (await mock.fetch('/orders', { method: 'POST', body, headers })).status;
  };
  expect(await create('{"id":1,"status":"free"}')).toBe(402);
  expect(await create('{"id":1,"status":"paid"}')).toBe(201);
});

test('a rule sets members of an item, deletes it with null, and leaves the response to the mock', async () => {
  await use([
    {
      operation: 'getSettings',
      set: { '/orders/7': { status: 'sent', note: null }, '/settings': { status: 'on' } },
    },
    { operation: 'putSettings', set: { '/orders/7': null } },
  ]);
  await mock.fetch('/settings');
  expect((await mock.state.get('/orders', '7'))?.value).toEqual({ id: 7, status: 'sent' });
  expect(await read('/settings')).toEqual([200, { status: 'on' }]);
  await mock.fetch('/settings', {
    method: 'PUT',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  });
  expect(await mock.state.get('/orders', '7')).toBe(undefined);
});

test.for<readonly [rule: JsonValue, pointer: string, reason: string]>([
  [{ operation: 'getOrders', respond: {} }, '/0/operation', 'the document has no operation "getOrders"'],
  [{ respond: {} }, '/0', 'must have "operation"'],
  [{ operation: 'getOrder' }, '/0', ''],
  [{ operation: 'getOrder', respond: { status: 99 } }, '/0/respond/status', 'must be at least 200'],
  [{ operation: 'getOrder', wen: {}, set: {} }, '/0/wen', 'there is no "wen"'],
  [{ operation: 'getOrder', set: { orders: {} } }, '/0/set', ''],
  [
    { operation: 'getOrder', when: { state: { '/orders/7': 'paid' } }, set: {} },
    '/0/when/state/~1orders~17',
    'must be',
  ],
])('the rule %j is refused at its place', ([rule, pointer, reason]) => {
  const [problem] = readRules([rule], ids).problems;
  expect(problem?.pointer).toBe(pointer);
  expect(problem?.reason).toContain(reason);
});
