import { setupServer } from 'msw/node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { http, HttpResponse } from 'msw';
import { contractOf } from '../fixtures/contract-of.ts';
import { createMock } from './mock/create-mock.ts';
import type { Mock } from './mock/mock.ts';
import { createHandlers, type HandlerOptions } from './msw.ts';

const order = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', format: 'int64' }, note: { type: 'string' } },
};
const content = { 'application/json': { schema: order } };
const contract = contractOf({
  paths: {
    '/shops/{shop}/orders': {
      post: {
        requestBody: { required: true, content },
        responses: { 201: { description: 'Created', content }, 400: { description: 'Invalid' } },
      },
    },
  },
});
const init = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"id":9007199254740993}',
};

let mock: Mock;
const server = setupServer();
const unhandled: string[] = [];
beforeEach(async () => {
  mock = await createMock(contract);
  server.listen({ onUnhandledRequest: ({ url }) => void unhandled.push(url) });
});
afterEach(async () => {
  server.resetHandlers();
  server.close();
  unhandled.length = 0;
  await mock.close();
});

/** Asks with the global fetch; a service that nobody handles answers with status 599. */
async function ask(url: string, options: HandlerOptions = {}): Promise<string> {
  const other = http.all('*', () => new HttpResponse('elsewhere', { status: 599 }));
  server.use(...createHandlers(mock, options), other);
  const response = await fetch(url, init);
  return `${response.status} ${await response.text()}`;
}

test('has the mock answer the global fetch, which remembers, and keeps the digits of an id', async () => {
  const url = 'https://api.example.com/shops/7/orders';
  expect(await ask(url)).toBe('201 {"id":9007199254740993}');
  expect(await ask(url)).toMatch(/^400 /u);
  expect((await fetch(url, { ...init, body: '{"id":9007199254740992}' })).status).toBe(201);
  await mock.reset();
  expect(await ask(url)).toBe('201 {"id":9007199254740993}');
});

test.each([
  ['https://api.example.com/shops/7/orders/1', {}],
  ['https://api.example.com/shops', {}],
  ['https://api.example.com/v1/shops/7/orders', {}],
  ['https://other.example.com/shops/7/orders', { baseUrl: 'https://api.example.com' }],
  ['https://api.example.com/shops/7/orders', { baseUrl: 'https://api.example.com/v1' }],
  ['https://api.example.com/v11/shops/7/orders', { baseUrl: 'https://api.example.com/v1' }],
  ['https://api.example.com/shops/7/orders', { baseUrl: '/api' }],
])('leaves %s to others with %j', async (url, options) => {
  expect(await ask(url, options)).toBe('599 elsewhere');
});

test.each([
  ['https://api.example.com/v1/shops/7/orders?x=1', { baseUrl: 'https://api.example.com/v1' }],
  ['https://api.example.com/v1/shops/7/orders', { baseUrl: new URL('https://api.example.com/v1/') }],
  ['http://localhost/api/shops/7/orders', { baseUrl: '/api' }],
  ['http://localhost/shops/a%20b/orders', {}],
])('answers %s with %j', async (url, options) => {
  expect(await ask(url, options)).toMatch(/^201 /u);
});

test('has MSW tell of a request that is for no path of the contract', async () => {
  server.use(...createHandlers(mock));
  await expect(fetch('http://127.0.0.1:1/shops')).rejects.toThrow('fetch failed');
  expect(unhandled).toEqual(['http://127.0.0.1:1/shops']);
});

test('answers a method that the path does not have as the mock does', async () => {
  server.use(...createHandlers(mock));
  const response = await fetch('http://localhost/shops/7/orders', { method: 'HEAD' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
});

test.each([
  ['uri-reference', '/v1/notes/1'],
  ['uri', 'https://api.example.com/v1/notes/1'],
])('leads to what was created below the base URL, with a Location of format %s', async (format, location) => {
  const note = {
    type: 'object',
    properties: { id: { type: 'integer', readOnly: true }, text: { type: 'string' } },
  };
  const notes = { 'application/json': { schema: note } };
  const headers = { Location: { schema: { type: 'string', format } } };
  const responses = { 201: { description: 'Created', content: notes, headers } };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const read = { parameters: [id], responses: { 200: { description: 'One', content: notes } } };
  const paths = {
    '/notes': { post: { requestBody: { content: notes }, responses } },
    '/notes/{id}': { get: read },
  };
  await mock.change({ contract: contractOf({ paths }) });
  server.use(...createHandlers(mock, { baseUrl: 'https://api.example.com/v1' }));
  const url = 'https://api.example.com/v1/notes';
  const created = await fetch(url, { ...init, body: '{"text":"Buy milk"}' });
  const place = created.headers.get('location') ?? '';
  expect(place).toBe(location);
  expect(await (await fetch(new URL(place, url))).json()).toEqual({ id: 1, text: 'Buy milk' });
});

test('takes up the contract that the mock takes up', async () => {
  const url = 'http://localhost/baskets';
  expect(await ask(url)).toBe('599 elsewhere');
  const { post } = {
    post: { requestBody: { content }, responses: { 201: { description: 'Created', content } } },
  };
  await mock.change({ contract: contractOf({ paths: { '/baskets': { post } } }) });
  expect((await fetch(url, init)).status).toBe(201);
});

test('ends the connection where the mock does', async () => {
  mock.faults.put({ connection: 'drop' });
  await expect(ask('http://localhost/shops/7/orders')).rejects.toThrow(TypeError);
});

test.each(['api.example.com', 'ftp://api.example.com'])('does not take %s for a base URL', (baseUrl) => {
  expect(() => createHandlers(mock, { baseUrl })).toThrow(
    `Failed to handle requests to "${baseUrl}": it is no http or https URL. Write it as "https://api.example.com/v1", or as a path: "/api".`,
  );
});
