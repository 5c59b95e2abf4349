import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { request } from 'undici';
import { loadContract } from '../contract/load.ts';
import { createPolicy, type Policy } from '../policy/policy.ts';
import type { MockResponse } from './message.ts';
import { prepareMockContext } from './mock-context.ts';
import { createResponder, type Responder } from './responder.ts';
import { createMemoryStore } from './store/memory-store.ts';
import type { Store } from './store/store.ts';
import { type MockClient, openMock } from '../../fixtures/mock-client.ts';
import type { JsonObject } from '../json/value.ts';
import { contractOf } from '../../fixtures/contract-of.ts';
import { buildContract } from '../contract/build.ts';
import { readDocument } from '../document/read-document.ts';
import { createMock } from './create-mock.ts';
import type { Mock } from './mock.ts';
import { integer, mockOf, object, response, text } from '../../fixtures/document-parts.ts';

const plantStore = fileURLToPath(new URL('../../spec/plant-store.yaml', import.meta.url));
const contract = await loadContract(plantStore, { followReferences: false });

/** A store that answers as one that waits for another process does. */
function makeLate(store: Store): Store {
  return {
    ...store,
    insertIfAbsent: async (resource) => store.insertIfAbsent(resource),
    replace: async (resource) => store.replace(resource),
    get: async (collection, key) => store.get(collection, key),
    nextNumber: async (collection) => store.nextNumber(collection),
    reset: async () => store.reset(),
    close: async () => store.close(),
  };
}

function open(store: Store, answers: Partial<Policy> = {}): Responder {
  const policy = createPolicy(answers);
  const settings = { contentLimit: 1000, tokens: 'any', samples: new Map(), clock: Date.now } as const;
  return createResponder(prepareMockContext(contract, { policy, store, ...settings }));
}

function post(responder: Responder, body: string): MockResponse | Promise<MockResponse> {
  const headers: Record<string, string> = { authorization: 'Bearer t', 'content-type': 'application/json' };
  const received = responder.receive({
    method: 'POST',
    target: '/plants',
    header: (name) => headers[name],
    fields: () => [],
  });
  return received.kind === 'early-response'
    ? received.answer
    : responder.respond(received, new TextEncoder().encode(body));
}

test('answers at once where the store does', () => {
  const responder = open(createMemoryStore());
  expect(post(responder, '{"id":1,"name":"a"}')).toMatchObject({ status: 200, body: '{"name":"a"}' });
});

test('answers other requests while it works on a large body', async () => {
  const responder = open(createMemoryStore());
  const order: string[] = [];
  const large = Promise.resolve(post(responder, `{"id":1,"name":"a"${' '.repeat(70_000)}}`)).then(
    (answer) => {
      order.push('large');
      return answer;
    },
  );
  await Promise.resolve(post(responder, '{"id":2,"name":"b"}')).then(() => order.push('small'));
  await expect(large).resolves.toMatchObject({ status: 200, body: '{"name":"a"}' });
  expect(order).toEqual(['small', 'large']);
});

test.each([
  ['refuse', 400],
  ['replace', 200],
  ['keep-first', 200],
  ['accept', 200],
] as const)('waits for a store that takes its time, with duplicate-key: %s', async (answer, status) => {
  const responder = open(makeLate(createMemoryStore()), { 'duplicate-key': answer });
  const both = [post(responder, '{"id":1,"name":"a"}'), post(responder, '{"id":1,"name":"b"}')];
  expect(both.every((each) => each instanceof Promise)).toBe(true);
  expect([await both[0], await both[1]]).toMatchObject([{ status: 200 }, { status }]);
});

test('decides by the head alone what needs no content', () => {
  const responder = open(createMemoryStore());
  const receive = (method: string, target: string): unknown =>
    responder.receive({ method, target, header: () => undefined, fields: () => [] });
  expect(receive('POST', '/plants')).toMatchObject({ kind: 'early-response', answer: { status: 401 } });
  expect(receive('GET', '/plants')).toMatchObject({ kind: 'early-response', answer: { status: 405 } });
  expect(receive('GET', 'http://localhost/other')).toMatchObject({
    kind: 'early-response',
    answer: { status: 404 },
  });
});

const shelf = { type: 'object', properties: { id: { type: 'integer' }, room: { type: 'string' } } };
const content = { 'application/json': { schema: shelf } };

/** Shelves, whose HEAD declares these statuses; one with the id 1 is there. */
async function mockShelves(statuses: readonly (number | 'default')[]): Promise<MockClient> {
  const responses: JsonObject = Object.fromEntries(
    statuses.map((status) => [status, { description: 'An answer' }]),
  );
  const created = { 201: { description: 'Created', content } };
  const found = { 200: { description: 'A shelf', content }, 404: { description: 'None' } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Shelves', version: '1.0.0' },
    paths: {
      '/shelves': { post: { requestBody: { content }, responses: created } },
      '/shelves/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { responses: found },
        head: { responses },
      },
    },
  };
  const client = await openMock(document);
  await client.post('/shelves', { room: 'cellar' });
  return client;
}

test.each([
  [[200, 404], 200],
  [[200], 200],
  [['default'], 200],
  [[404], 200],
  // The document says what the status of HEAD is in place of that of GET.
  [[204, 404], 204],
  [[204], 204],
  [[204, 'default'], 204],
] as const)(
  'a HEAD that declares %j does what GET does: %d for what is there, else 404',
  async (statuses, there) => {
    const client = await mockShelves(statuses);
    const [found, missing] = await Promise.all(
      ['/shelves/1', '/shelves/2'].map((path) => client.send(`HEAD ${path}`)),
    );
    expect([found?.status, missing?.status]).toEqual([there, 404]);
    expect(found?.headers.has('cloche-sample')).toBe(false);
    // RFC 9110 §8.6: none in a 204.
    expect(found?.headers.has('content-length')).toBe(there === 200);
    expect([found?.text, missing?.text]).toEqual(['', '']);
  },
);

const serverMadeId = fileURLToPath(new URL('../../fixtures/documents/server-made-id.yaml', import.meta.url));

async function openBelow(path: string, url: string): Promise<Mock> {
  const document = await readDocument(path, { followReferences: false });
  return createMock(buildContract({ ...document, root: { ...document.root, servers: [{ url }] } }));
}

const init = {
  method: 'POST',
  headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
  body: '{"id":1,"name":"Fern"}',
};

test('answers with and without the path of a server, from one state', async () => {
  const mock = await openBelow(plantStore, 'https://api.example.com/v1');
  expect((await mock.fetch('/v1/plants', init)).status).toBe(200);
  expect((await mock.fetch('/plants', init)).status).toBe(400);
  expect((await mock.fetch('/v1/plants', { method: 'GET' })).status).toBe(405);
  for (const path of ['/v1', '/v1/', '/v1/else', '/v2/plants', '/v1plants', '/v1/v1/plants']) {
    expect((await mock.fetch(path, init)).status).toBe(404);
  }
});

test('takes a declared path for itself where it begins as the path of a server does', async () => {
  const mock = await openBelow(plantStore, 'https://api.example.com/plants');
  expect((await mock.fetch('/plants', init)).status).toBe(200);
  expect((await mock.fetch('/plants/plants', init)).status).toBe(400);
});

test('places what it creates where the client has asked for it', async () => {
  const mock = await openBelow(serverMadeId, '/v1');
  const answer = await mock.fetch('/v1/tickets', { ...init, body: '{"subject":"a","text":"b"}' });
  expect(answer.status).toBe(201);
  expect(answer.headers.get('location')).toMatch(/^\/v1\/tickets\/[^/]+$/u);
});

test('leads a client back to the origin that it asks, without a port too', async () => {
  const content = {
    'application/json': { schema: { type: 'object', properties: { id: { type: 'integer' } } } },
  };
  const headers = { Location: { required: true, schema: { type: 'string', format: 'uri' } } };
  const responses = { 201: { description: 'Created', content, headers } };
  const contract = contractOf({ paths: { '/notes': { post: { requestBody: { content }, responses } } } });
  const mock = await createMock(contract);
  const listener = await mock.listen();
  const dispatcher = await mock.dispatcher();
  const asked = [
    await mock.fetch('https://api.example.com/notes', { ...init, body: '{"id":1}' }),
    await request('https://api.example.com/notes', { ...init, body: '{"id":2}', dispatcher }),
    await fetch(`${listener.url}/notes`, { ...init, body: '{"id":3}' }),
  ];
  await mock.close();
  const locations = asked.map(({ headers: fields }) =>
    fields instanceof Headers ? fields.get('location') : fields['location'],
  );
  expect(locations).toEqual([
    'https://api.example.com/notes/1',
    'https://api.example.com/notes/2',
    `${listener.url}/notes/3`,
  ]);
});

const problem = object({ title: text, detail: text });

test('refuses parameters that do not fit', async () => {
  const client = await mockOf({
    paths: {
      '/orders/{id}': {
        get: {
          parameters: [
            { name: 'id', in: 'path', required: true, schema: integer },
            { name: 'limit', in: 'query', schema: { ...integer, maximum: 10 } },
            { name: 'X-Trace', in: 'header', required: true, schema: text },
          ],
          responses: { 200: response(object({ id: integer })), 400: response(problem) },
        },
      },
    },
  });
  const trace = { 'x-trace': 'a' };
  expect(await client.get('/orders/1?limit=10', trace)).toMatchObject({ status: 200 });
  const refused = async (target: string, headers: Record<string, string>): Promise<unknown> =>
    (await client.get(target, headers)).body;
  expect(await refused('/orders/one', trace)).toMatchObject({
    detail: 'The request is not valid: the path parameter "id" must be an integer, but is a string.',
  });
  expect(await refused('/orders/1?limit=11', trace)).toMatchObject({
    detail: expect.stringContaining('the query parameter "limit" must be at most 10'),
  });
  expect(await refused('/orders/1', {})).toMatchObject({
    detail: 'The request is not valid: the header parameter "X-Trace" is required, but missing.',
  });
});
