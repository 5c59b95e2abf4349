import { beforeEach, expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createMockClient } from '../../../fixtures/mock-client.ts';
import type { JsonObject } from '../../json/value.ts';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock.ts';
import { DataError, type GivenRows } from './rows.ts';

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const ok = (schema: JsonObject): JsonObject => ({ 200: { description: 'It.', ...json(schema) } });
const created = (schema: JsonObject): JsonObject => ({ 201: { description: 'New.', ...json(schema) } });
const sends = (schema: JsonObject): JsonObject => ({ required: true, ...json(schema) });
const missing: JsonObject = { 404: { description: 'None.' } };
const object = (properties: JsonObject, ...required: readonly string[]): JsonObject => ({
  type: 'object',
  required: [...required],
  properties,
});
const text: JsonObject = { type: 'string' };
const inPath = (name: string, schema: JsonObject = text): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema,
});

const project = object(
  { id: { type: 'integer', readOnly: true }, name: text, createdAt: { ...text, readOnly: true } },
  'name',
);
const task = object({ id: { type: 'integer', readOnly: true }, title: { ...text, maxLength: 20 } }, 'title');
const article = object({ slug: text, title: text }, 'slug', 'title');
const settings = object({ theme: { enum: ['dark', 'light'] } });
const page = object({ body: text }, 'body');

/** Collections of every kind: created, nested, keyed by PUT, named by the path alone, only listed, and a singleton. */
const contract = contractOf({
  paths: {
    '/projects': {
      get: { responses: ok({ type: 'array', items: project }) },
      post: { requestBody: sends(project), responses: created(project) },
    },
    '/projects/{project}': {
      parameters: [inPath('project', { type: 'integer' })],
      get: { responses: { ...ok(project), ...missing } },
      put: { requestBody: sends(project), responses: { ...ok(project), ...missing } },
      delete: { responses: { 204: { description: 'Gone.' }, ...missing } },
    },
    '/projects/{project}/tasks': {
      parameters: [inPath('project', { type: 'integer' })],
      get: { responses: { ...ok({ type: 'array', items: task }), ...missing } },
      post: { requestBody: sends(task), responses: { ...created(task), ...missing } },
    },
    '/projects/{project}/tasks/{task}': {
      parameters: [inPath('project', { type: 'integer' }), inPath('task', { type: 'integer' })],
      get: { responses: { ...ok(task), ...missing } },
    },
    '/articles': { get: { responses: ok({ ...object({ items: { type: 'array', items: article } }) }) } },
    '/articles/{slug}': {
      parameters: [inPath('slug')],
      get: { responses: { ...ok(article), ...missing } },
    },
    '/settings': {
      get: { responses: ok(settings) },
      put: { requestBody: sends(settings), responses: ok(settings) },
    },
    '/pages/{name}': {
      parameters: [inPath('name')],
      get: { responses: { ...ok(page), ...missing } },
      put: { requestBody: sends(page), responses: { ...ok(page), ...created(page) } },
    },
  },
});

let mock: Mock;
beforeEach(async () => {
  mock = await createMock(contract);
});

async function started(data: GivenRows): Promise<void> {
  mock = await createMock(contract, { data });
}

async function ask(method: string, path: string, body?: JsonObject): Promise<[number, unknown]> {
  const answer = await createMockClient(mock).send(`${method} ${path}`, body);
  return [answer.status, answer.body];
}

async function reasonsOf(data: GivenRows): Promise<readonly string[]> {
  const error: unknown = await createMock(contract, { data }).catch((thrown: unknown) => thrown);
  return error instanceof DataError
    ? error.rows.map(({ collection, index, reason }) => `${collection} ${index}: ${reason}`)
    : [];
}

test('lists every resource, with what its items are told apart by', async () => {
  expect(await mock.state.collections()).toEqual([
    { name: '/projects', count: 0, kind: 'collection', key: 'id', isKept: true },
    { name: '/articles', count: 0, kind: 'collection', key: 'slug', isKept: false },
    { name: '/settings', count: 0, kind: 'singleton', key: null, isKept: true },
    { name: '/pages', count: 0, kind: 'collection', key: null, isKept: true },
  ]);
});

test('a row keeps what the service alone says of it, and creates go on past its id', async () => {
  const row = { id: 7, name: 'Tea', createdAt: '2026-01-01' };
  await started({ '/projects': [row] });
  expect(await ask('GET', '/projects/7')).toEqual([200, row]);
  const sent = { id: 3, name: 'Milk', createdAt: 'never' };
  expect(await ask('POST', '/projects', sent)).toEqual([
    201,
    { id: 8, name: 'Milk', createdAt: expect.not.stringMatching('never') },
  ]);
  expect(await reasonsOf({ '/projects': [{ name: 'a', createdAt: 1 }] })).toEqual([
    '/projects 0: /createdAt must be a string, but is a number',
  ]);
});

test('rows of a nested collection stand under the path of an item that is there', async () => {
  await started({ '/projects': [{ id: 7, name: 'Tea' }], '/projects/7/tasks': [{ id: 2, title: 'boil' }] });
  expect(await ask('GET', '/projects/7/tasks')).toEqual([200, [{ id: 2, title: 'boil' }]]);
  expect(await ask('GET', '/projects/7/tasks/2')).toEqual([200, { id: 2, title: 'boil' }]);
  expect(await ask('GET', '/projects/8/tasks')).toMatchObject([404, {}]);
  expect(await reasonsOf({ '/projects/8/tasks': [{ title: 'a' }, { title: 'b' }] })).toEqual([
    '/projects/8/tasks 0: there is no 8 in /projects that it could belong to',
    '/projects/8/tasks 1: there is no 8 in /projects that it could belong to',
  ]);
  await expect(mock.state.put('/projects/8/tasks', { title: 'a' })).rejects.toThrow('there is no 8');
  expect(await mock.state.import({ '/projects/7/tasks': [{ title: 'pour' }] }, 'merge')).toEqual({
    added: 1,
    replaced: 0,
  });
});

test('deletes with an item what lies below it', async () => {
  await started({
    '/projects': [
      { id: 7, name: 'Tea' },
      { id: 77, name: 'Milk' },
    ],
    '/projects/7/tasks': [{ title: 'boil' }],
    '/projects/77/tasks': [{ title: 'pour' }],
  });
  expect(await mock.state.delete('/projects', '7')).toBe(true);
  expect(await mock.state.export()).toEqual({
    '/projects': [{ id: 77, name: 'Milk' }],
    '/projects/77/tasks': [{ id: 1, title: 'pour' }],
  });
});

test('what nobody can create is a sample, until data brings rows', async () => {
  expect((await ask('GET', '/articles/any'))[0]).toBe(200);
  const row = { slug: 'tea', title: 'On tea' };
  await started({ '/articles': [row] });
  expect(await ask('GET', '/articles')).toEqual([200, { items: [row] }]);
  expect(await ask('GET', '/articles/tea')).toEqual([200, row]);
  expect((await ask('GET', '/articles/any'))[0]).toBe(404);
  expect(await reasonsOf({ '/articles': [{ slug: 'tea' }] })).toEqual([
    '/articles 0: /title is required, but missing',
  ]);
});

test('rows that are put or imported later are served as well, and a reset takes them back', async () => {
  await mock.state.put('/articles', { slug: 'tea', title: 'On tea' });
  expect((await ask('GET', '/articles/any'))[0]).toBe(404);
  await mock.reset();
  expect((await ask('GET', '/articles/any'))[0]).toBe(200);
  await expect(mock.state.import({ '/articles': [{}] })).rejects.toThrow('/slug is required');
  expect((await ask('GET', '/articles/any'))[0]).toBe(200);
  await mock.state.import({ '/articles': [] });
  expect(await ask('GET', '/articles')).toEqual([200, { items: [] }]);
});

test('a singleton is one object', async () => {
  await started({ '/settings': { theme: 'dark' } });
  expect(await ask('GET', '/settings')).toEqual([200, { theme: 'dark' }]);
  await mock.state.put('/settings', { theme: 'light' });
  expect(await ask('GET', '/settings')).toEqual([200, { theme: 'light' }]);
  expect(await mock.state.get('/settings')).toEqual({ key: '0', value: { theme: 'light' } });
  expect(await mock.state.export()).toEqual({ '/settings': [{ theme: 'light' }] });
  expect(await mock.state.delete('/settings')).toBe(true);
  expect(await reasonsOf({ '/settings': { theme: 'blue' } })).toEqual([
    expect.stringMatching(/^\/settings 0: \/theme must be/u),
  ]);
  await expect(createMock(contract, { data: { '/projects': { name: 'a' } } })).rejects.toThrow(
    'it is not a list of rows',
  );
});

test('what only the path names brings its name along, and takes it back', async () => {
  await started({ '/pages': [{ name: 'a/b', body: 'one' }] });
  expect(await ask('GET', '/pages/a%2Fb')).toEqual([200, { body: 'one' }]);
  await ask('PUT', '/pages/c', { body: 'two' });
  const rows = {
    '/pages': [
      { name: 'a/b', body: 'one' },
      { name: 'c', body: 'two' },
    ],
  };
  expect(await mock.state.export()).toEqual(rows);
  await mock.state.import(rows);
  expect(await mock.state.export()).toEqual(rows);
});

test('everything that is exported comes in again', async () => {
  await started({
    '/settings': { theme: 'dark' },
    '/projects/7/tasks': [{ title: 'boil' }],
    '/projects': [{ id: 7, name: 'Tea' }],
    '/articles': [{ slug: 'tea', title: 'On tea' }],
    '/pages': [{ name: 'c', body: 'two' }],
  });
  const rows = await mock.state.export();
  mock = await createMock(contract);
  await mock.state.import(rows);
  expect(await mock.state.export()).toEqual(rows);
  expect(await ask('GET', '/articles/tea')).toMatchObject([200, { title: 'On tea' }]);
});

test('nested rows and singletons survive a reload; those whose resource is gone are set aside, and come back', async () => {
  await started({
    '/projects': [{ id: 7, name: 'Tea' }],
    '/projects/7/tasks': [{ title: 'boil' }],
    '/settings': { theme: 'dark' },
    '/articles': [{ slug: 'tea', title: 'On tea' }],
  });
  const rows = await mock.state.export();
  await mock.change({ contract: { ...contract } });
  expect(await mock.state.export()).toEqual(rows);
  expect((await ask('GET', '/articles/any'))[0]).toBe(404);
  const operations = contract.operations.filter(({ path }) => path.template.startsWith('/projects'));
  const report = await mock.change({ contract: { ...contract, operations } });
  expect(report.setAside.map(({ collection }) => collection)).toEqual(['/settings', '/articles']);
  expect((await mock.change({ contract })).broughtBack).toBe(2);
  expect(await mock.state.export()).toEqual(rows);
});

test.each(['__proto__', 'constructor', 'a/b', '%2F', '...', 'köln 🌿', 'a@b', "it's", ' ', '"1"'])(
  'neither loses nor mixes up an item named %o',
  async (name) => {
    await started({
      '/pages': [
        { name, body: 'one' },
        { name: 'other', body: 'two' },
      ],
    });
    expect(await mock.state.get('/pages', JSON.stringify(name))).toMatchObject({
      value: { name, body: 'one' },
    });
    const rows = await mock.state.export();
    expect(rows['/pages']).toHaveLength(2);
    await mock.state.import(rows);
    expect(await mock.state.export()).toEqual(rows);
    expect(await mock.state.delete('/pages', JSON.stringify(name))).toBe(true);
    expect((await mock.state.list('/pages')).total).toBe(1);
  },
);

test.each(['__proto__', 'constructor', 'a/b', '%2F', 'köln', 'a@b', "it's"])(
  'finds what lies below an item named %o, however its path is written',
  async (name) => {
    const shop = object({ name: text }, 'name');
    const order = object({ id: { type: 'integer' } }, 'id');
    const shops = contractOf({
      paths: {
        '/shops': { post: { requestBody: sends(shop), responses: created(shop) } },
        '/shops/{name}': { parameters: [inPath('name')], get: { responses: { ...ok(shop), ...missing } } },
        '/shops/{name}/orders': {
          parameters: [inPath('name')],
          get: { responses: ok({ type: 'array', items: order }) },
          post: { requestBody: sends(order), responses: created(order) },
        },
      },
    });
    const encoded = `/shops/${encodeURIComponent(name)}/orders`;
    mock = await createMock(shops, { data: { '/shops': [{ name }], [encoded]: [{ id: 1 }] } });
    expect(await ask('GET', encoded)).toEqual([200, [{ id: 1 }]]);
    expect(
      await ask(
        'GET',
        encoded.replaceAll(/%[\dA-F]{2}/gu, (each) => each.toLowerCase()),
      ),
    ).toEqual([200, [{ id: 1 }]]);
    expect((await ask('POST', encoded.replace('%40', '@'), { id: 2 }))[0]).toBe(201);
    const written = name.replaceAll(/[%/]/gu, encodeURIComponent);
    expect((await mock.state.list(`/shops/${written}/orders`)).total).toBe(2);
    await mock.state.delete('/shops', JSON.stringify(name));
    expect(await mock.state.export()).toEqual({});
  },
);

test.each(['__proto__', 'constructor', 'a/b', '%2F', 'köln 🌿', 'a@b', "it's", '"1"'])(
  'reads an item named %o by its path',
  async (name) => {
    await started({ '/pages': [{ name, body: 'one' }] });
    expect(await ask('GET', `/pages/${encodeURIComponent(name)}`)).toEqual([200, { body: 'one' }]);
  },
);

test('a property of a row may have any name', async () => {
  mock = await createMock(contract, {
    policy: { 'undeclared-properties': 'store' },
    // Written so that it is a property of its own.
    data: { '/projects': [JSON.parse('{"id":1,"name":"a","__proto__":{"x":1},"constructor":2}')] },
  });
  const { resources } = await mock.state.list('/projects');
  expect(JSON.stringify(resources[0]?.value)).toBe('{"id":1,"name":"a","__proto__":{"x":1},"constructor":2}');
});
