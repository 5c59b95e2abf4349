import { expect, test } from 'vitest';
import type { JsonObject } from '../json/value.ts';
import { createMock } from './create-mock.ts';

/** What two books look like in a list of these items, the second time that it is asked for. */
async function list(items: JsonObject, isInEnvelope = false): Promise<unknown> {
  const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
  const book = { type: 'object', properties: { id: { type: 'integer' }, title: { type: 'string' } } };
  const array = { type: 'array', items };
  const body = isInEnvelope ? { type: 'object', properties: { items: array } } : array;
  const mock = await createMock(
    {
      openapi: '3.1.0',
      info: { title: 'Books', version: '1.0.0' },
      paths: {
        '/books': {
          get: { responses: { 200: { description: 'All.', ...json(body) } } },
          post: { requestBody: json(book), responses: { 201: { description: 'New.', ...json(book) } } },
        },
      },
    },
    { data: { '/books': [{ title: 'Emma' }, { title: 'Middlemarch' }] } },
  );
  await mock.fetch('http://mock/books');
  const response = await mock.fetch('http://mock/books');
  return response.json();
}

const title: JsonObject = { type: 'string', maxLength: 5 };
const books = [
  { id: 1, title: 'Emma' },
  { id: 2, title: 'text' },
];

test('a list shows no item that its schema does not take', async () => {
  const items = { type: 'object', required: ['title'], properties: { id: { type: 'integer' }, title } };
  expect(await list(items)).toEqual(books);
  expect(await list(items, true)).toEqual({ items: books });
});

test('an item keeps its id in a list whose schema does not take that', async () => {
  const id = { type: 'integer', maximum: 1 };
  expect(await list({ type: 'object', required: ['title'], properties: { id, title } })).toEqual(books);
});

test('the page before what lies past the end is the last one', async () => {
  const integer = { type: 'integer' };
  const parameters = ['limit', 'offset'].map((name) => ({ name, in: 'query', schema: integer }));
  const book = { type: 'object', properties: { id: integer } };
  const content = { 'application/json': { schema: book } };
  const array = { type: 'array', items: book };
  const schema = {
    type: 'object',
    properties: { items: array, previous: { type: 'string', format: 'uri' } },
  };
  const mock = await createMock(
    {
      openapi: '3.1.0',
      info: { title: 'Books', version: '1.0.0' },
      paths: {
        '/books': {
          get: {
            parameters,
            responses: { 200: { description: 'Some.', content: { 'application/json': { schema } } } },
          },
          post: { requestBody: { content }, responses: { 201: { description: 'New.', content } } },
        },
      },
    },
    { data: { '/books': [{}, {}, {}, {}, {}] } },
  );
  const response = await mock.fetch('http://mock/books?limit=2&offset=100', { method: 'GET' });
  expect(await response.json()).toEqual({ items: [], previous: 'http://mock/books?limit=2&offset=4' });
});

/** What a list of an empty collection answers by a schema. */
async function listNone(schema: JsonObject): Promise<Response> {
  const content = (whole: JsonObject): JsonObject => ({ content: { 'application/json': { schema: whole } } });
  const book = { type: 'object', properties: { id: { type: 'integer' } } };
  const paths = {
    '/books': {
      get: { responses: { 200: { description: 'All.', ...content(schema) } } },
      post: { requestBody: content(book), responses: { 201: { description: 'New.', ...content(book) } } },
    },
  };
  const info = { title: 'Books', version: '1.0.0' };
  const mock = await createMock({ openapi: '3.1.0', info, paths }, { data: 'none' });
  return mock.fetch('http://mock/books');
}

test('`count` asks for a page where something leads on, and for what has such a count where nothing does', async () => {
  const integer = { type: 'integer' };
  const book = { type: 'object', properties: { id: { ...integer, readOnly: true }, count: integer } };
  const content = { 'application/json': { schema: book } };
  const array = { 'application/json': { schema: { type: 'array', items: book } } };
  const listBy = async (...names: readonly string[]): Promise<unknown> => {
    const parameters = names.map((name) => ({ name, in: 'query', schema: integer }));
    const mock = await createMock(
      {
        openapi: '3.1.0',
        info: { title: 'Books', version: '1.0.0' },
        paths: {
          '/books': {
            get: { parameters, responses: { 200: { description: 'Some.', content: array } } },
            post: { requestBody: { content }, responses: { 201: { description: 'New.', content } } },
          },
        },
      },
      { data: { '/books': [{ count: 5 }, { count: 2 }, { count: 5 }] } },
    );
    return (await mock.fetch('http://mock/books?count=2')).json();
  };
  const [first, second] = [
    { id: 1, count: 5 },
    { id: 2, count: 2 },
  ];
  expect(await listBy('count', 'offset')).toEqual([first, second]);
  expect(await listBy('count')).toEqual([second]);
  expect(await listBy('count', 'offset', 'limit')).toEqual([second]);
});

test('a list that has to have items is left out where there are none, or a sample says that it is one', async () => {
  const items = { type: 'array', minItems: 1, items: { type: 'object', properties: { id: { const: 5 } } } };
  const properties = { items, total: { type: 'integer' } };
  const optional = await listNone({ type: 'object', properties });
  expect(await optional.json()).toEqual({ total: 0 });
  expect(optional.headers.get('cloche-sample')).toBeNull();
  const required = await listNone({ type: 'object', properties, required: ['items'] });
  expect(await required.json()).toEqual({ items: [{}] });
  expect(required.headers.get('cloche-sample')).toBe('generated');
});
