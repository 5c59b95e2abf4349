import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createMockClient } from '../../../fixtures/mock-client.ts';
import type { ClientResponse } from '../../../fixtures/service-client.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonObject } from '../../json/value.ts';
import { createMock } from '../create-mock.ts';
import type { Mock, MockOptions } from '../mock.ts';
import { parseData } from './data-file.ts';

function content(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

function collection(body: JsonObject, answer: JsonObject = body): JsonObject {
  return {
    post: {
      requestBody: { required: true, content: content(body) },
      responses: { '201': { description: 'created', content: content(answer) } },
    },
  };
}

const order: JsonObject = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string' } },
};
const newTask: JsonObject = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string' } },
};
const task: JsonObject = {
  ...newTask,
  properties: { id: { type: 'integer' }, title: { type: 'string' } },
};
const orders = contractOf({ paths: { '/orders': collection(order) } });
const both = contractOf({ paths: { '/orders': collection(order), '/tasks': collection(newTask, task) } });

const first = { id: 1, name: 'first' };
const second = { id: 2, name: 'second' };

async function namesOf(mock: Mock): Promise<readonly unknown[]> {
  const { resources } = await mock.state.list('/orders');
  return resources.map(({ value }) => value['name']);
}

function create(mock: Mock, path: string, body: JsonObject): Promise<ClientResponse> {
  return createMockClient(mock).post(path, body);
}

function started(options: MockOptions): Promise<Mock> {
  return createMock(both, options);
}

test('a mock starts from its data, and goes back to it on reset', async () => {
  const mock = await started({ data: { '/orders': [first], '/tasks': [{ title: 'a' }] } });
  expect(mock.dataReport).toEqual({
    source: 'given',
    collections: [
      { name: '/orders', count: 1 },
      { name: '/tasks', count: 1 },
    ],
    added: 2,
    present: 0,
    replaced: 0,
    removed: 0,
    left: [],
    short: [],
  });
  expect((await create(mock, '/orders', first)).status).toBeGreaterThanOrEqual(400);
  await create(mock, '/orders', second);
  expect((await create(mock, '/tasks', { title: 'b' })).body).toEqual({ id: 2, title: 'b' });
  await mock.state.delete('/orders', '1');
  await mock.reset();
  expect(await mock.state.export()).toEqual({ '/orders': [first], '/tasks': [{ title: 'a', id: 1 }] });
  expect((await create(mock, '/tasks', { title: 'b' })).body).toEqual({ id: 2, title: 'b' });
});

test('a mock without data is empty after a reset', async () => {
  const mock = await started({});
  await create(mock, '/orders', first);
  await mock.reset();
  expect([await mock.state.export(), mock.dataReport]).toEqual([{}, undefined]);
});

test('rows alone belong to the one collection that there is', async () => {
  const mock = await createMock(orders, { data: [first, second] });
  expect(await namesOf(mock)).toEqual(['first', 'second']);
  await expect(started({ data: [first] })).rejects.toThrow(
    'Failed to import "a list of rows": they are rows alone, and may belong to /orders or /tasks. ' +
      'Give rows by the path of their collection: { "/orders": [ … ] }.',
  );
});

test('a mock does not start from data of which a row is wrong, and says where each stands', async () => {
  const data = await parseData({
    file: 'orders.yaml',
    text: '/orders:\n  - id: 1\n    name: a\n  - id: x\n    name: b\n  - name: c\n',
  });
  await expect(started({ data })).rejects.toThrow(
    'Failed to import "orders.yaml": ' +
      'orders.yaml:4:5: /id must be an integer, but is a string; ' +
      'orders.yaml:6:5: /id is required, but missing. ' +
      'Nothing was imported.',
  );
});

test.each([
  [7, /^Failed to import "7": it is neither a list of rows nor an object of such lists/u],
  [null, /^Failed to import "null": it is neither/u],
  [{ '/orders': first }, /^Failed to import "\/orders": it is not a list of rows/u],
  [{ '/orders': ['x'] }, /\/orders, row 1: a row must be an object/u],
  [{ '/orders': [undefined] }, /\/orders, row 1: it is no JSON value/u],
  [
    { '/plates': [first] },
    /^Failed to import "\/plates": \/plates is not a collection of this document \(it has \/orders, \/tasks[^)]*\)\. Nothing was imported\.$/u,
  ],
])('data of another shape is refused: %o', async (data, sentence) => {
  // `as`: what JavaScript may hand in.
  await expect(started({ data: data as never })).rejects.toThrow(sentence);
});

test('an export is a file to start from', async () => {
  const mock = await started({});
  const body = '{ "id": 9007199254740993, "name": "1.0" }';
  await createMockClient(mock).post('/orders', body);
  await create(mock, '/tasks', { title: 'a' });
  // `as`: an export is JSON.
  const text = stringifyJson((await mock.state.export()) as JsonObject);
  const again = await started({ data: await parseData({ file: 'export.json', text }) });
  expect(stringifyJson((await again.state.export()) as JsonObject)).toBe(text);
});

test('changed data puts what changed, takes away what is gone, and leaves what was changed since', async () => {
  const third = { id: 3, name: 'third' };
  const fourth = { id: 4, name: 'fourth' };
  const mock = await started({ data: { '/orders': [first, second, third, fourth] } });
  await mock.state.put('/orders', { id: 2, name: 'mine' });
  await mock.state.put('/orders', { id: 3, name: 'mine too' });
  await mock.state.delete('/orders', '4');
  await create(mock, '/orders', { id: 9, name: 'created' });
  await mock.change({
    data: { '/orders': [second, { id: 3, name: 'changed' }, fourth, { id: 5, name: 'new' }] },
  });
  expect(mock.dataReport).toMatchObject({
    added: 1,
    present: 2,
    replaced: 1,
    removed: 1,
    left: [],
    short: [],
  });
  expect(new Set(await namesOf(mock))).toEqual(new Set(['mine', 'created', 'changed', 'new']));
  await mock.reset();
  expect(await namesOf(mock)).toEqual(['second', 'changed', 'fourth', 'new']);
});

test('changed data that is wrong changes nothing', async () => {
  const mock = await started({ data: { '/orders': [first] } });
  const wrong = { '/orders': [second, { id: 'x', name: 'a' }] };
  await expect(mock.change({ data: wrong })).rejects.toThrow('/orders, row 2: /id must be an integer');
  expect(await namesOf(mock)).toEqual(['first']);
  await mock.reset();
  expect(await namesOf(mock)).toEqual(['first']);
});

test('two rows may change their unique values for each other', async () => {
  const policy = { 'unique-properties': ['name'] };
  const mock = await started({ policy, data: { '/orders': [first, second, { id: 3, name: 'third' }] } });
  await mock.change({
    data: {
      '/orders': [
        { id: 1, name: 'second' },
        { id: 2, name: 'new' },
        { id: 3, name: 'third' },
      ],
    },
  });
  expect([await namesOf(mock), mock.dataReport?.left]).toEqual([['second', 'new', 'third'], []]);
});

test('data that is wrong under a contract that comes with it changes nothing', async () => {
  const mock = await started({ data: { '/orders': [first] } });
  const data = { '/orders': [first] };
  await expect(
    mock.change({ contract: contractOf({ paths: { '/tasks': collection(newTask, task) } }), data }),
  ).rejects.toThrow('/orders is not a collection of this document (it has /tasks). Nothing was imported.');
  expect(mock.contract).toBe(both);
  expect(await namesOf(mock)).toEqual(['first']);
});

test('rows that a changed contract does not take are left out of a reset, and named', async () => {
  const mock = await started({ data: { '/orders': [first], '/tasks': [{ title: 'a' }] } });
  const strict = { ...order, properties: { id: { type: 'integer' }, name: { const: 'other' } } };
  await mock.change({
    contract: contractOf({
      paths: { '/orders': collection(strict), '/tasks': collection(newTask, task) },
    }),
  });
  await mock.reset();
  expect(Object.keys(await mock.state.export())).toEqual(['/tasks']);
  expect(mock.dataReport?.left).toEqual([
    { collection: '/orders', index: 0, place: undefined, reason: '/name must be "other", but is "first"' },
  ]);
});

test('rows get at the start what the service makes of them, and it stays the same', async () => {
  const made = {
    id: { type: 'integer', readOnly: true },
    createdAt: { type: 'string', format: 'date-time', readOnly: true },
    version: { type: 'integer', readOnly: true },
  };
  const note = {
    type: 'object',
    required: ['text'],
    properties: { ...made, text: { type: 'string' }, status: { type: 'string', default: 'open' } },
  };
  const inPath = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const shown = { responses: { '200': { description: 'It.', content: content(note) } } };
  const notes = contractOf({
    paths: { '/notes': collection(note), '/notes/{id}': { parameters: [inPath], get: shown } },
  });
  const data = { '/notes': [{ text: 'a' }, { text: 'b', createdAt: '2020-01-01T00:00:00Z', version: 4 }] };
  const mock = await createMock(notes, { data, clock: () => Date.UTC(2026, 0, 1) });
  const first = { id: 1, text: 'a', createdAt: '2026-01-01T00:00:00.000Z', version: 1, status: 'open' };
  expect((await createMockClient(mock).get('/notes/1')).body).toEqual(first);
  expect((await mock.state.get('/notes', '2'))?.value).toMatchObject({
    createdAt: '2020-01-01T00:00:00Z',
    version: 4,
  });
  mock.clock.advance(60_000);
  expect((await mock.state.get('/notes', '1'))?.value).toEqual(first);
  await mock.change({ data: { '/notes': [...data['/notes'], { text: 'c' }] } });
  expect(mock.dataReport).toMatchObject({ added: 1, present: 2, replaced: 0 });
  await mock.reset(['state']);
  expect((await mock.state.get('/notes', '1'))?.value).toEqual(first);
});
