import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createMockClient } from '../../../fixtures/mock-client.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { createMock } from '../create-mock.ts';
import type { Mock, MockOptions } from '../mock.ts';

const json = (schema: JsonObject, example?: JsonValue): JsonObject => ({
  content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
});
const ok = (schema: JsonObject, example?: JsonValue): JsonObject => ({
  responses: { 200: { description: 'It.', ...json(schema, example) }, 404: { description: 'None.' } },
});
const creates = (schema: JsonObject): JsonObject => ({
  requestBody: { required: true, ...json(schema) },
  responses: { 201: { description: 'New.', ...json(schema) }, 404: { description: 'None.' } },
});
const object = (properties: JsonObject, ...required: readonly string[]): JsonObject => ({
  type: 'object',
  required: [...required],
  properties,
});
const inPath = (name: string, schema: JsonObject): JsonObject => ({
  parameters: [{ name, in: 'path', required: true, schema }],
});
const integer: JsonObject = { type: 'integer' };
const text: JsonObject = { type: 'string' };
const id: JsonObject = { ...integer, readOnly: true };

const project = object({ id, name: text }, 'name');
const task = object({ id, title: text }, 'title');
const step = object({ id, note: text }, 'note');
const projects: JsonObject = {
  '/projects': { get: ok({ type: 'array', items: project }), post: creates(project) },
  '/projects/{project}': { ...inPath('project', integer), get: ok(project) },
  '/projects/{project}/tasks': {
    ...inPath('project', integer),
    get: ok({ type: 'array', items: task }),
    post: creates(task),
  },
};
const steps: JsonObject = {
  '/projects/{project}/tasks/{task}': { ...inPath('task', integer), get: ok(task) },
  '/projects/{project}/tasks/{task}/steps': { ...inPath('task', integer), post: creates(step) },
};

function start(paths: JsonObject, options: MockOptions): Promise<Mock> {
  return createMock(contractOf({ paths }), options);
}

/** How many rows are in each collection. */
async function countsOf(mock: Mock): Promise<Record<string, number>> {
  const counts = await mock.state.collections();
  return Object.fromEntries(counts.map(({ name, count }) => [name, count]));
}

async function read(mock: Mock, path: string): Promise<unknown> {
  const { status, body } = await createMockClient(mock).get(path);
  return status === 200 ? body : status;
}

test('nested collections get rows below each item above, whoever gave that its id', async () => {
  const mock = await start(projects, {
    data: { '/projects': [{ id: 7, name: 'a' }, { name: 'b' }] },
    dataCount: 3,
  });
  expect(await countsOf(mock)).toEqual({ '/projects': 2, '/projects/7/tasks': 3, '/projects/1/tasks': 3 });
  expect(await read(mock, '/projects/7/tasks')).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(mock.dataReport?.short).toEqual([]);
});

test('nested rows are the same under the same seed, differ from parent to parent, and a reset brings them back', async () => {
  const [one, same, other] = await Promise.all(
    [7, 7, 8].map((seed) => start({ ...projects, ...steps }, { dataCount: 2, seed })),
  );
  const rows = await one?.state.export();
  expect(rows).toEqual(await same?.state.export());
  expect(rows).not.toEqual(await other?.state.export());
  expect(rows?.['/projects/1/tasks/1/steps']).toHaveLength(2);
  await one?.state.delete('/projects', '1');
  await one?.reset();
  expect(await one?.state.export()).toEqual(rows);
});

test('of what lies below other items no more than 10,000 rows are made up, as many for each', async () => {
  const mock = await start({ ...projects, ...steps }, { dataCount: 30 });
  const counts = await countsOf(mock);
  expect([counts['/projects/30/tasks'], counts['/projects/1/tasks/1/steps']]).toEqual([30, 10]);
  expect(mock.dataReport?.short).toEqual([
    {
      collection: '/projects/{project}/tasks/{task}/steps',
      made: 9000,
      wanted: 27_000,
      reason: 'many-nested',
    },
  ]);
});

test('without data the examples of the document come first, and are filled up', async () => {
  const listed = [
    { id: 4, name: 'Rex' },
    { id: 2, name: 'Tom' },
  ];
  const pets = {
    '/pets': { get: ok({ type: 'array', items: project }, listed), post: creates(project) },
    '/pets/{petId}': { ...inPath('petId', integer), get: ok(project) },
  };
  const mock = await start(pets, { dataCount: 4 });
  const rows = (await mock.state.export())['/pets'];
  expect(rows?.slice(0, 2)).toEqual(listed);
  expect(rows?.map((row) => row['id'])).toEqual([4, 2, 1, 3]);
  const none = await start(pets, { dataCount: 1, data: 'none' });
  expect((await none.state.export())['/pets']).toMatchObject([
    { id: 1, name: expect.not.stringMatching('Rex') },
  ]);
  const few = await start(pets, { dataCount: 1 });
  expect((await few.state.export())['/pets']).toEqual(listed);
});

const page = object({ body: text }, 'body');
const replaces = (schema: JsonObject): JsonObject => ({
  requestBody: { required: true, ...json(schema) },
  responses: { 201: { description: 'New.', ...json(schema) }, 200: { description: 'It.', ...json(schema) } },
});

test.each<readonly [string, JsonObject, RegExp]>([
  ['a text', text, /^[123]$/u],
  ['a text of a pattern', { ...text, pattern: '^[a-z]{2}-[0-9]{3}$' }, /^[a-z]{2}-\d{3}$/u],
  ['a text in which nothing counts', { ...text, pattern: '^[ab][cd][ef]x-$' }, /^[ab][cd][ef]x-$/u],
  ['one of a list', { ...text, enum: ['x', 'y', 'z'] }, /^[xyz]$/u],
  ['an integer from 100 on', { ...integer, minimum: 100 }, /^10[0-3]$/u],
  ['a UUID', { ...text, format: 'uuid' }, /^[\da-f]{8}-.*$/u],
])('what PUT creates has keys like the parameter of its path: %s', async (_, schema, expected) => {
  const item = { ...inPath('name', schema), get: ok(page), put: replaces(page) };
  const mock = await start({ '/pages/{name}': item }, { dataCount: 3 });
  const names = (await mock.state.list('/pages')).resources.map(({ key }) => key.replaceAll('"', ''));
  expect(new Set(names).size).toBe(3);
  for (const name of names) {
    expect(name).toMatch(expected);
    expect(await read(mock, `/pages/${name}`)).toMatchObject({ body: expect.any(String) });
  }
});

test('what PUT creates with its key in the body shows that key', async () => {
  const flag = object({ name: text, isOn: { type: 'boolean' } }, 'name', 'isOn');
  const mock = await start(
    { '/flags/{name}': { ...inPath('name', { ...text, minLength: 3 }), get: ok(flag), put: replaces(flag) } },
    { dataCount: 3 },
  );
  const { resources } = await mock.state.list('/flags');
  expect(resources).toHaveLength(3);
  for (const { key, value } of resources)
    expect(await read(mock, `/flags/${key.replaceAll('"', '')}`)).toEqual(value);
});

const article = object({ slug: text, title: text }, 'slug', 'title');
const articles: JsonObject = {
  '/articles': { get: ok(object({ items: { type: 'array', items: article } })) },
  '/articles/{slug}': { ...inPath('slug', text), get: ok(article) },
};

test('lists that nothing creates get rows as others do', async () => {
  const mock = await start(articles, { data: { '/articles': [] }, dataCount: 3 });
  const { resources } = await mock.state.list('/articles');
  expect(resources).toHaveLength(3);
  expect(await read(mock, '/articles')).toMatchObject({
    items: resources.map(({ value: { slug } }) => ({ slug })),
  });
  expect(await read(mock, `/articles/${resources[2]?.key.replaceAll('"', '')}`)).toEqual(resources[2]?.value);
  expect(await countsOf(await start(articles, { dataCount: 3 }))).toEqual({ '/articles': 3 });
});

test('rows in envelopes are made up as bare ones are', async () => {
  const wrapped = object({ data: project }, 'data');
  const mock = await start(
    {
      '/projects': { post: creates(wrapped) },
      '/projects/{id}': { ...inPath('id', integer), get: ok(wrapped) },
    },
    { dataCount: 3 },
  );
  expect(await read(mock, '/projects/3')).toEqual({ data: { id: 3, name: expect.any(String) } });
});

test('rows that are given are enough for their collection', async () => {
  const orders = object({ id: integer, name: text }, 'id', 'name');
  const paths = {
    '/orders': { post: creates(orders) },
    '/tasks': { post: creates(orders) },
    '/notes': { post: creates(orders) },
  };
  const mock = await start(paths, { data: { '/tasks': [{ id: 1, name: 'a' }], '/notes': [] }, dataCount: 2 });
  expect(await countsOf(mock)).toEqual({ '/tasks': 1, '/orders': 2, '/notes': 0 });
});

test.each([-1, 1.5, Number.NaN])('no mock starts from %d rows', async (dataCount) => {
  await expect(start(projects, { dataCount })).rejects.toThrow(
    `Failed to use as dataCount "${dataCount}": it is no whole number from 0 on.`,
  );
});
