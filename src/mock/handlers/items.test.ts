import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { type MockClient, openMock } from '../../../fixtures/mock-client.ts';
import type { ClientResponse } from '../../../fixtures/service-client.ts';
import { contractOf } from '../../../fixtures/contract-of.ts';
import type { JsonObject } from '../../json/value.ts';

const baskets = fileURLToPath(new URL('../../../fixtures/documents/baskets.yaml', import.meta.url));

/** Sends a patch of the first basket. */
function patch(
  { send }: MockClient,
  type: 'json-patch' | 'merge-patch',
  body: unknown,
): Promise<ClientResponse> {
  return send('PATCH /baskets/1', body, { 'content-type': `application/${type}+json` });
}

const item = { name: 'a'.repeat(200_000), map: { text: 'b'.repeat(700_000) } };
/** A limit that the tests exceed quickly. */
const policy = { 'body-limit': { bytes: 1_048_576, status: 400 } };
const patches = [
  ['json-patch', [{ op: 'add', path: '/map/more', value: 'x'.repeat(600_000) }]],
  ['json-patch', [{ op: 'copy', from: '/name', path: '/map/more' }]],
  ['merge-patch', { map: { more: 'x'.repeat(600_000) } }],
] as const;

test.each(patches)(
  'refuses a %s document that makes an item longer than a body may be',
  async (type, body) => {
    const client = await openMock(baskets, { policy, data: { '/baskets': [item] } });
    const answer = await patch(client, type, body);
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('1,048,576')]);
    const kept = await client.get('/baskets/1');
    expect(kept.body).toEqual({ id: 1, ...item });
  },
);

test('changes an item that is longer than a body may be, as long as it does not grow', async () => {
  const client = await openMock(baskets, {
    policy,
    data: { '/baskets': [{ name: 'a'.repeat(2_000_000), price: 1 }] },
  });
  expect((await patch(client, 'merge-patch', { price: 2 })).status).toBe(200);
  expect((await patch(client, 'merge-patch', { price: 20 })).status).toBe(422);
});

test('refuses a patch that moves the items of a long list again and again', async () => {
  const list = Array.from({ length: 300_000 }, () => 0);
  const client = await openMock(baskets, { data: { '/baskets': [{ list }] } });
  const remove = { op: 'remove', path: '/list/0' };
  const many = await patch(
    client,
    'json-patch',
    Array.from({ length: 25_000 }, () => remove),
  );
  expect([many.status, many.text]).toEqual([422, expect.stringContaining('copies or moves more')]);
  const some = await patch(
    client,
    'json-patch',
    Array.from({ length: 100 }, () => remove),
  );
  expect(some.body).toHaveProperty('list.length', 299_900);
});

let client: MockClient;
beforeEach(async () => {
  client = await openMock('fixtures/documents/projects.yaml');
});

test('what was created is read, replaced, updated, deleted, and then not found', async () => {
  expect(await client.post('/projects', { name: 'Tea', status: 'open', secret: 'x' })).toEqual({
    status: 201,
    body: { id: 1, name: 'Tea', status: 'open' },
  });
  expect(await client.get('/projects/1')).toEqual({
    status: 200,
    body: { id: 1, name: 'Tea', status: 'open' },
  });
  expect(await client.send('PUT /projects/1', { name: 'Milk' })).toEqual({
    status: 200,
    body: { id: 1, name: 'Milk' },
  });
  expect(await client.send('PATCH /projects/1', { status: 'closed' })).toEqual({
    status: 200,
    body: { id: 1, name: 'Milk', status: 'closed' },
  });
  expect(await client.get('/projects/1')).toMatchObject({ body: { name: 'Milk', status: 'closed' } });
  expect(await client.send('DELETE /projects/1')).toEqual({ status: 204, body: undefined });
  for (const method of ['GET', 'DELETE']) {
    expect(await client.send(`${method} /projects/1`)).toEqual({
      status: 404,
      body: { message: 'There is no 1 in /projects, which is empty: POST /projects creates one.' },
    });
  }
  expect(await client.send('PUT /projects/1', { name: 'Milk' })).toMatchObject({ status: 404 });
});

test('an update must lead to a valid item, and changes nothing where it does not', async () => {
  await client.post('/projects', { name: 'Tea' });
  expect(await client.send('PATCH /projects/1', { name: null })).toMatchObject({
    status: 400,
    body: { message: 'The body is not valid: /name is required, but missing.' },
  });
  expect(await client.get('/projects/1')).toMatchObject({ body: { name: 'Tea' } });
});

test('a null in plain JSON takes away what may be left out, and is the value of what has to be there', async () => {
  const lead = {
    type: 'object',
    required: ['company'],
    properties: { company: { type: ['string', 'null'] }, note: { type: 'string' } },
  };
  const content = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
  const shown = {
    description: 'A lead.',
    ...content({ ...lead, properties: { ...lead.properties, id: { type: 'integer' } } }),
  };
  client = await openMock(
    contractOf({
      paths: {
        '/leads': {
          post: { requestBody: { required: true, ...content(lead) }, responses: { '201': shown } },
        },
        '/leads/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          patch: {
            requestBody: content({ type: 'object' }),
            responses: { '200': shown },
          },
        },
      },
    }),
  );
  await client.post('/leads', { company: 'Tea', note: 'x' });
  expect(await client.send('PATCH /leads/1', { company: null })).toEqual({
    status: 200,
    body: { id: 1, company: null, note: 'x' },
  });
  expect(await client.send('PATCH /leads/1', { note: null })).toEqual({
    status: 200,
    body: { id: 1, company: null },
  });
});

test('a list is in the order of creation, filtered, sorted and cut by its parameters', async () => {
  for (const [name, status] of [
    ['b', 'open'],
    ['a', 'closed'],
    ['c', 'open'],
  ])
    await client.post('/projects', { name, status });
  const names = async (query: string): Promise<unknown> => {
    const { body } = await client.get(`/projects${query}`);
    // `as`: it is the envelope of the document.
    const { items, total } = body as {
      readonly items: readonly { readonly name: string }[];
      readonly total: number;
    };
    return [...items.map(({ name }) => name), total];
  };
  expect(await names('')).toEqual(['b', 'a', 'c', 3]);
  expect(await names('?limit=2')).toEqual(['b', 'a', 3]);
  expect(await names('?limit=2&offset=2')).toEqual(['c', 3]);
  expect(await names('?status=open')).toEqual(['b', 'c', 2]);
  expect(await names('?status=open&limit=1&offset=1')).toEqual(['c', 2]);
  expect(await names('?sort=name')).toEqual(['a', 'b', 'c', 3]);
  expect(await names('?sort=-name&limit=1')).toEqual(['c', 3]);
  expect(await client.get('/projects?limit=51')).toMatchObject({ status: 400 });
});

test('what lies below an item goes with it, and only that', async () => {
  for (const name of ['a', 'b']) await client.post('/projects', { name });
  for (const project of [1, 2]) await client.post(`/projects/${project}/tasks`, { title: 'x' });
  expect(await client.get('/projects/1/tasks')).toEqual({ status: 200, body: [{ id: 1, title: 'x' }] });
  await client.send('DELETE /projects/1');
  expect(await client.get('/projects/2/tasks')).toEqual({ status: 200, body: [{ id: 1, title: 'x' }] });
  expect(await client.mock.state.list('/projects/1/tasks')).toMatchObject({ total: 0 });
});

test('nothing is created or listed below an item that is not there', async () => {
  expect(await client.post('/projects/9/tasks', { title: 'x' })).toEqual({
    status: 404,
    body: { message: 'There is no 9 in /projects, which is empty: POST /projects creates one.' },
  });
  expect(await client.get('/projects/9/tasks')).toMatchObject({ status: 404 });
});

test('an id that a client may send is kept; where it exists already, the service makes another one', async () => {
  const open = await openMock(document('optional'));
  const create = async (body: unknown): Promise<unknown> => (await open.post('/notes', body)).body;
  expect(await create({ id: 7, text: 'a' })).toEqual({ id: 7, text: 'a' });
  expect(await create({ id: 7, text: 'b' })).toEqual({ id: 1, text: 'b' });
});

test('an id that a client may send, and no answer can show, is not taken', async () => {
  const note = (id: Record<string, unknown>): Record<string, unknown> => ({
    content: { 'application/json': { schema: { type: 'object', properties: { id } } } },
  });
  const requestBody = note({ type: 'string' });
  const responses = { 200: { description: '', ...note({ type: 'string', pattern: '^[a-z0-9-]*$' }) } };
  const get = {
    parameters: [{ name: 'noteId', in: 'path', required: true, schema: { type: 'string' } }],
    responses,
  };
  client = await openMock({
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1' },
    paths: { '/notes': { post: { requestBody, responses } }, '/notes/{noteId}': { get } },
  });
  expect(await client.post('/notes', { id: 'tea' })).toMatchObject({ body: { id: 'tea' } });
  const made = '00000000-0000-4000-8000-000000000001';
  expect(await client.post('/notes', { id: 'TEA' })).toMatchObject({ body: { id: made } });
  expect(await client.get(`/notes/${made}`)).toMatchObject({ status: 200 });
});

test('a create that declares no success is answered with 201, and says that it is undeclared', async () => {
  const open = await openMock(document('silent'));
  const response = await open.post('/notes', { text: 'a' });
  expect([response.status, response.undeclared]).toEqual([201, 'other-operations']);
  expect((await open.get('/notes/1')).body).toEqual({ id: 1, text: 'a' });
});

test('a not-found of an empty collection says how to fill it', async () => {
  const say = async (method: string, path: string): Promise<unknown> =>
    (await client.send(`${method} ${path}`)).body;
  const empty = 'There is no 7 in /projects, which is empty: POST /projects creates one.';
  expect(await say('GET', '/projects/7')).toEqual({ message: empty });
  expect(await say('DELETE', '/projects/7')).toEqual({ message: empty });
  expect(await say('GET', '/projects/7/tasks')).toEqual({ message: empty });
  await client.post('/projects', { name: 'Tea' });
  expect(await say('GET', '/projects/7')).toEqual({ message: 'There is no 7 in /projects.' });
});

test('what a response requires and nobody sends is made up as what it is called, once, and another one for each item', async () => {
  const open = await openMock(document('guarded'));
  const create = async (): Promise<Record<string, unknown>> => {
    const { body } = await open.post('/notes', { text: 'a' });
    return body as Record<string, unknown>; // `as`: so the document has it
  };
  const [first, second] = [await create(), await create()];
  expect(first['email']).toMatch(/^[^@\s]+@[^@\s]+$/u);
  expect(second['email']).not.toBe(first['email']);
  expect((await open.get('/notes/1')).body).toEqual(first);
});

test('a singleton is there from the start: as the example shows it, else with the defaults', async () => {
  const settings = (media: Record<string, unknown>): Record<string, unknown> => {
    const shown = { description: '', content: { 'application/json': media } };
    const get = { operationId: 'getSettings', responses: { 200: shown } };
    const put = { operationId: 'putSettings', requestBody: shown, responses: { 200: shown } };
    return { openapi: '3.1.0', info: { title: 'S', version: '1' }, paths: { '/settings': { get, put } } };
  };
  const schema = {
    type: 'object',
    required: ['theme'],
    properties: { theme: { type: 'string' }, size: { type: 'integer', default: 20 } },
  };
  const example = { theme: 'dark', size: 5 };
  const plain = await openMock(settings({ schema }));
  expect((await plain.get('/settings')).body).toMatchObject({ size: 20 });
  const shown = await openMock(settings({ schema, example }));
  expect((await shown.get('/settings')).body).toEqual(example);
});

/** Notes, whose create declares what it answers, nothing of a success, or that notes have the email of who made them. */
function document(create: 'optional' | 'silent' | 'guarded'): Record<string, unknown> {
  const note = { type: 'object', properties: { id: { type: 'integer' }, text: { type: 'string' } } };
  const email = { type: 'string', format: 'email', readOnly: true };
  const properties = { ...note.properties, email };
  const guarded = { ...note, required: ['email'], properties };
  const answered = create === 'guarded' ? guarded : note;
  const shown = { description: '', content: { 'application/json': { schema: answered } } };
  const refused = { description: '' };
  return {
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1.0.0' },
    paths: {
      '/notes': {
        post: {
          operationId: 'addNote',
          requestBody: { content: { 'application/json': { schema: note } } },
          responses: create === 'silent' ? { '400': refused } : { '201': shown, '400': refused },
        },
      },
      '/notes/{noteId}': {
        get: {
          parameters: [{ name: 'noteId', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: { '200': shown, '404': refused },
        },
      },
    },
  };
}

test('an item that the body of a replace names is named where it is not found, and its id is where it is missing', async () => {
  client = await openMock({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: {
      '/pets': {
        post: { operationId: 'addPet', requestBody: pet, responses: { 201: { description: '', ...pet } } },
        put: { operationId: 'putPet', requestBody: pet, responses: { 200: { description: '', ...pet } } },
      },
      '/pets/{petId}': {
        parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { operationId: 'getPet', responses: { 200: { description: '', ...pet } } },
      },
    },
  });
  expect(await client.post('/pets', { id: 7, name: 'Rex' })).toMatchObject({ status: 201 });
  expect(await client.send('PUT /pets', { id: 7, name: 'Max' })).toMatchObject({
    status: 200,
    body: { id: 7 },
  });
  expect(await client.send('PUT /pets', { id: 8, name: 'Max' })).toMatchObject({
    status: 404,
    body: { detail: 'There is no 8 in /pets.' },
  });
  expect(await client.send('PUT /pets', { name: 'Max' })).toMatchObject({
    status: 404,
    body: { detail: 'The request names no item: its body has no "id".' },
  });
});

test('an envelope that is not required may be left out of a create and of a replace', async () => {
  const sent = { type: 'object', properties: { task: { $ref: '#/components/schemas/Task' } } };
  const requestBody = { content: { 'application/json': { schema: sent } } };
  const task = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Task' } } } };
  const responses = { 200: { description: '', ...task } };
  client = await openMock({
    openapi: '3.1.0',
    info: { title: 'Tasks', version: '1' },
    paths: {
      '/tasks': { post: { operationId: 'createTask', requestBody, responses } },
      '/tasks/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        put: { operationId: 'replaceTask', requestBody, responses },
      },
    },
    components: {
      schemas: {
        Task: {
          type: 'object',
          properties: { id: { type: 'integer', readOnly: true }, title: { type: 'string' } },
        },
      },
    },
  });
  expect(await client.post('/tasks', { task: { title: 'Tea' } })).toMatchObject({
    body: { id: 1, title: 'Tea' },
  });
  expect(await client.post('/tasks', {})).toEqual({ status: 200, body: { id: 2 } });
  expect(await client.send('PUT /tasks/1', {})).toEqual({ status: 200, body: { id: 1 } });
});

const pet = {
  content: {
    'application/json': {
      schema: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } },
    },
  },
};
