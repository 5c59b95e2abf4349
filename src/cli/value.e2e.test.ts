import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { type Ended, runCloche } from '../../fixtures/run-cloche.ts';
import { startMock } from '../../fixtures/start-mock.ts';
import { parseJson } from '../json/parse.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-value-'));

/** What the service does wrong, and what it counted. */
const shop = { takesAnyId: false, unknown: 0, deletedCustomers: 0, names: new Set<JsonValue>() };
const orders = new Map<string, JsonObject>();
const servers: Server[] = [];
let url = '';

const schemaOf = (name: string) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
});
const problem = { description: 'refused', content: schemaOf('Problem') };
const refusals = { '400': problem, '404': problem, '422': problem };
const id = (name: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'integer', minimum: 1, maximum: 2_000_000_000 },
});
const order = {
  type: 'object',
  required: ['customerId', 'total'],
  properties: {
    customerId: { type: 'integer', minimum: 1, maximum: 2_000_000_000 },
    note: { type: 'string' },
    total: {
      type: 'object',
      required: ['cents', 'currency'],
      properties: {
        cents: { type: 'integer', minimum: 0, maximum: 1_000_000 },
        currency: { type: 'string', minLength: 3, maxLength: 3 },
      },
    },
  },
};

/** Customers exist beside the service and cannot be created with it; orders are created below them. */
const contract = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/customers/{customerId}': {
      parameters: [id('customerId')],
      get: {
        operationId: 'getCustomer',
        responses: { '200': { description: 'found', content: schemaOf('Customer') }, ...refusals },
      },
      delete: { operationId: 'deleteCustomer', responses: { '204': { description: 'gone' }, ...refusals } },
    },
    '/orders': {
      post: {
        operationId: 'createOrder',
        requestBody: { required: true, content: schemaOf('NewOrder') },
        responses: { '201': { description: 'created', content: schemaOf('Order') }, ...refusals },
      },
      get: {
        operationId: 'listOrders',
        parameters: [{ ...id('customerId'), in: 'query', required: false }],
        responses: {
          '200': {
            description: 'all',
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Order' } },
              },
            },
          },
          ...refusals,
        },
      },
    },
    '/customers/{customerId}/notes': {
      parameters: [id('customerId')],
      post: {
        operationId: 'createNote',
        requestBody: { required: true, content: schemaOf('NewNote') },
        responses: { '201': { description: 'created', content: schemaOf('Note') }, ...refusals },
      },
    },
    '/customers/{customerId}/notes/{noteId}': {
      parameters: [id('customerId'), id('noteId')],
      get: {
        operationId: 'getNote',
        responses: { '200': { description: 'found', content: schemaOf('Note') }, ...refusals },
      },
      delete: { operationId: 'deleteNote', responses: { '204': { description: 'gone' }, ...refusals } },
    },
  },
  components: {
    schemas: {
      Problem: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
      Customer: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      NewOrder: order,
      Order: {
        ...order,
        required: ['id', ...order.required],
        properties: { id: { type: 'integer' }, ...order.properties },
      },
      NewNote: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
      Note: {
        type: 'object',
        required: ['id', 'text'],
        properties: { id: { type: 'integer' }, text: { type: 'string' } },
      },
    },
  },
};

type Answer = readonly [status: number, body?: JsonValue, location?: string];

const isWhole = (value: JsonValue | undefined, most = 2_000_000_000): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most;
const refuse = (status: number): Answer => [status, { message: 'refused' }];

/** A conforming answer: customers 17 and 18 exist, and prices are in euros. */
function answerTo(method: string, path: readonly string[], query: string | null, body?: JsonValue): Answer {
  const number = (text = ''): number | undefined => (/^[1-9]\d{0,9}$/u.test(text) ? Number(text) : undefined);
  const own = isJsonObject(body) ? body : undefined;
  const isKnown = (customer: JsonValue | undefined): boolean => {
    const known = customer === 17 || customer === 18;
    shop.unknown += known ? 0 : 1;
    return known;
  };
  if (path[0] === 'orders' && path.length === 1) {
    if (method === 'GET') {
      const customer = number(query ?? '17');
      if (!isWhole(customer)) return refuse(400);
      if (!isKnown(customer)) return refuse(404);
      const all = [...orders.values()].filter((each) => 'total' in each);
      return [200, query === null ? all : all.filter((each) => each['customerId'] === customer)];
    }
    if (method !== 'POST') return refuse(405);
    const { customerId, total, note = '' } = own ?? {};
    const { cents, currency } = isJsonObject(total) ? total : {};
    if (!(isWhole(customerId) && customerId > 0) && !shop.takesAnyId) return refuse(400);
    if (typeof note !== 'string' || !isWhole(cents, 1_000_000)) return refuse(400);
    if (typeof currency !== 'string' || [...currency].length !== 3) return refuse(400);
    if (!shop.takesAnyId && !isKnown(customerId)) return refuse(422);
    if (currency !== 'EUR') return refuse(422);
    const made = { ...own, id: orders.size + 1 };
    orders.set(`orders/${made.id}`, made);
    return [201, made, `/orders/${made.id}`];
  }
  const customer = number(path[1]);
  if (path[0] !== 'customers') return refuse(404);
  if (!isWhole(customer)) return refuse(400);
  if (path.length === 2 && method === 'DELETE') shop.deletedCustomers += 1;
  if (path.length === 2) {
    if (method !== 'GET') return refuse(method === 'DELETE' ? 404 : 405);
    if (!isKnown(customer)) return refuse(404);
    shop.names.add(customer);
    return [200, { name: `customer ${customer}` }];
  }
  if (path.length === 3) {
    if (method !== 'POST') return refuse(405);
    if (typeof own?.['text'] !== 'string') return refuse(400);
    if (!isKnown(customer)) return refuse(404);
    const made = { ...own, id: orders.size + 1 };
    const place = `customers/${customer}/notes/${made.id}`;
    orders.set(place, made);
    return [201, made, `/${place}`];
  }
  if (number(path[3]) === undefined) return refuse(400);
  const place = path.join('/');
  const found = orders.get(place);
  if (method !== 'GET' && method !== 'DELETE') return refuse(405);
  if (found === undefined || !('text' in found)) return refuse(404);
  if (method === 'GET') return [200, found];
  orders.set(place, {});
  return [204];
}

beforeAll(async () => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
      const { method = 'GET' } = request;
      const path = pathname.split('/').slice(1);
      const isText = /^application\/json\b/iu.test(request.headers['content-type'] ?? '');
      let parsed: JsonValue | undefined;
      try {
        const read = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
        parsed = read.kind === 'json' ? read.value : undefined;
      } catch {
        parsed = undefined;
      }
      const [status, body, location] =
        method === 'POST' && !isText
          ? refuse(415)
          : answerTo(method, path, searchParams.get('customerId'), parsed);
      response.writeHead(status, {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(location === undefined ? {} : { Location: location }),
        ...(status === 405 ? { Allow: 'GET, POST, DELETE' } : {}),
      });
      response.end(body === undefined ? undefined : stringifyJson(body));
    });
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await writeFile(join(folder, 'shop.json'), JSON.stringify(contract));
  await writeFile(join(folder, 'customers.json'), '[17, "18"]');
  await buildWhenStale();
}, 2 * minute);

beforeEach(() => {
  Object.assign(shop, { takesAnyId: false, unknown: 0, deletedCustomers: 0, names: new Set() });
  orders.clear();
});

afterAll(async () => {
  servers.forEach((server) => server.close());
  await rm(folder, { recursive: true, force: true });
});

const cloche = (words: readonly string[]): Promise<Ended> => runCloche(words, { folder, env: {} });
const shopTest = (...words: readonly string[]): Promise<Ended> =>
  cloche(['test', url, '-d', 'shop.json', '--seed', '7', '--runs', '20', ...words]);
const known = ['--value', 'customerId=@customers.json', '--value', 'createOrder.body:/total/currency=EUR'];

test('test without known values reports that creates had no success', { timeout: 2 * minute }, async () => {
  const { stdout } = await shopTest();
  expect(stdout).toMatch(/createOrder +[\d,]+ requests, no success/u);
  expect(shop.unknown).toBeGreaterThan(0);
});

test(
  'test with known values sends only them in valid requests and reports nothing about a conforming service',
  { timeout: 3 * minute },
  async () => {
    const { code, stdout } = await shopTest(...known);
    expect(stdout).toContain('nothing found');
    expect(stdout).not.toMatch(/WARNING|VIOLATION|no success/u);
    expect(code).toBe(0);
    expect(shop.unknown).toBe(0);
    // Customers are read, but not changed: the run did not create them.
    expect(shop.names).toEqual(new Set([17, 18]));
    expect(shop.deletedCustomers).toBe(0);
    expect(stdout).toMatch(/deleteNote +[\d,]+ requests: 204/u);
  },
);

test('test with known values still sends invalid ones', { timeout: 3 * minute }, async () => {
  shop.takesAnyId = true;
  const { code, stdout } = await shopTest(...known, '--suite', 'invalid-bodies');
  expect(code).toBe(1);
  expect(stdout).toContain('/customerId');
  expect(stdout).toMatch(/replay .*--value customerId=@customers\.json --value createOrder\.body:\/total/u);
});

test('learn creates items with known values', { timeout: 2 * minute }, async () => {
  const words = ['learn', url, '-d', 'shop.json', '--question', 'echo'];
  const before = await cloche(words);
  const after = await cloche([...words, ...known]);
  expect(before.stdout).not.toMatch(/POST \/orders[^}]*"status": 201/u);
  expect(after.stdout).toMatch(/POST \/orders[^}]*"status": 201/u);
  expect(after.stdout).toMatch(/POST \/customers\/17\/notes[^}]*"status": 201/u);
});

test('mock generates data with known values and accepts others', { timeout: minute }, async () => {
  const words = ['shop.json', '--data-count', '8', '--no-watch', ...known];
  const { url: mock } = await startMock(folder, words);
  const read = async (): Promise<JsonObject[]> =>
    (await (await fetch(`${mock}/orders`)).json()) as JsonObject[];
  const made = await read();
  expect(made).toHaveLength(8);
  expect(new Set(made.map(({ customerId }) => customerId))).toEqual(new Set([17, 18]));
  expect(made.every(({ total }) => isJsonObject(total) && total['currency'] === 'EUR')).toBe(true);
  const other = { customerId: 5, total: { cents: 1, currency: 'USD' } };
  const created = await fetch(`${mock}/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(other),
  });
  expect(created.status).toBe(201);
  expect(await read()).toContainEqual(expect.objectContaining(other));
});

test.each([
  ['custmerId=17', 'has no parameter or property of this name. Perhaps "customerId" was meant'],
  ['path:notesId=1', 'Perhaps "path:noteId" was meant'],
  ['createOrder.body:/total/curency=EUR', 'Perhaps "createOrder.body:/total/currency" was meant'],
  ['creatOrder.note=a', 'Perhaps "createOrder.note" was meant'],
  ['customerId=abc', 'it must be an integer, but is a string'],
  ['customerId=0', 'it must be at least 1, but is 0'],
  ['customerId', 'Write it as in --value customerId=17'],
  ['customerId=@nobody.json', 'there is no such file'],
  ['customerId=@shop.json', 'the file contains no list of values'],
])('refuses --value %s with exit code 2', { timeout: minute }, async (value, reason) => {
  const { code, stderr } = await shopTest('--value', value);
  expect(stderr).toContain(reason);
  expect(code).toBe(2);
  expect(shop.unknown).toBe(0);
});
