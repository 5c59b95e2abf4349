import { describe, expect, test } from 'vitest';
import { openMock } from '../../fixtures/mock-client.ts';
import type { ClientResponse } from '../../fixtures/service-client.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Mock, MockOptions } from './mock.ts';

/** What two books look like in a list of these items, the second time that it is asked for. */
async function list(items: JsonObject, isInEnvelope = false): Promise<unknown> {
  const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
  const book = { type: 'object', properties: { id: { type: 'integer' }, title: { type: 'string' } } };
  const array = { type: 'array', items };
  const body = isInEnvelope ? { type: 'object', properties: { items: array } } : array;
  const client = await openMock(
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
  await client.get('/books');
  return (await client.get('/books')).body;
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
  const client = await openMock(
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
  const { body } = await client.get('http://mock/books?limit=2&offset=100');
  expect(body).toEqual({ items: [], previous: 'http://mock/books?limit=2&offset=4' });
});

/** What a list of an empty collection answers by a schema. */
async function listNone(schema: JsonObject): Promise<ClientResponse> {
  const content = (whole: JsonObject): JsonObject => ({ content: { 'application/json': { schema: whole } } });
  const book = { type: 'object', properties: { id: { type: 'integer' } } };
  const paths = {
    '/books': {
      get: { responses: { 200: { description: 'All.', ...content(schema) } } },
      post: { requestBody: content(book), responses: { 201: { description: 'New.', ...content(book) } } },
    },
  };
  const info = { title: 'Books', version: '1.0.0' };
  const client = await openMock({ openapi: '3.1.0', info, paths }, { data: 'none' });
  return client.get('/books');
}

test('`count` asks for a page where something leads on, and for what has such a count where nothing does', async () => {
  const integer = { type: 'integer' };
  const book = { type: 'object', properties: { id: { ...integer, readOnly: true }, count: integer } };
  const content = { 'application/json': { schema: book } };
  const array = { 'application/json': { schema: { type: 'array', items: book } } };
  const listBy = async (...names: readonly string[]): Promise<unknown> => {
    const parameters = names.map((name) => ({ name, in: 'query', schema: integer }));
    const client = await openMock(
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
    return (await client.get('/books?count=2')).body;
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
  expect(optional.body).toEqual({ total: 0 });
  expect(optional.headers.get('cloche-sample')).toBeNull();
  const required = await listNone({ type: 'object', properties, required: ['items'] });
  expect(required.body).toEqual({ items: [{}] });
  expect(required.headers.get('cloche-sample')).toBe('generated');
});

describe('items that are no objects', () => {
  const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
  const ofArray = (items: JsonObject): JsonObject => ({ type: 'array', items });

  async function notes(
    { sent, shown, list: listed }: Record<'sent' | 'shown' | 'list', JsonObject>,
    options: MockOptions = {},
  ): Promise<
    Pick<Mock, 'state'> & { post: (body: JsonValue) => Promise<unknown>; all: () => Promise<unknown> }
  > {
    const client = await openMock(
      {
        openapi: '3.1.0',
        info: { title: 'Notes', version: '1.0.0' },
        paths: {
          '/notes': {
            get: { responses: { 200: { description: 'All.', ...json(listed) } } },
            post: { requestBody: json(sent), responses: { 201: { description: 'New.', ...json(shown) } } },
          },
        },
      },
      options,
    );
    return {
      state: client.mock.state,
      post: async (body: JsonValue) => (await client.post('/notes', JSON.stringify(body))).body,
      all: async () => (await client.get('/notes')).body,
    };
  }

  const text: JsonObject = { type: 'string' };
  const texts = { sent: text, shown: text, list: ofArray(text) };

  test('a list of texts shows the texts that were sent', async () => {
    const { post, all } = await notes(texts);
    expect(await post('milk')).toBe('milk');
    expect(await post('bread')).toBe('bread');
    expect(await all()).toEqual(['milk', 'bread']);
  });

  test('numbers are shown in the envelope of a list', async () => {
    const number: JsonObject = { type: 'number' };
    const list = { type: 'object', required: ['items'], properties: { items: ofArray(number) } };
    const { post, all } = await notes({ sent: number, shown: number, list });
    expect(await post(2.5)).toBe(2.5);
    expect(await all()).toEqual({ items: [2.5] });
  });

  test('a list of the ids of objects shows ids, and not what was sent', async () => {
    const note = { type: 'object', properties: { title: text } };
    const { post, all } = await notes({ ...texts, sent: note, shown: note });
    expect(await post({ title: 'milk' })).toEqual({ title: 'milk' });
    expect(await all()).toEqual(['00000000-0000-4000-8000-000000000001']);
  });

  test('a text that a create responds with is not the property `value` of its item', async () => {
    const setting = { type: 'object', properties: { value: text } };
    const { post } = await notes({
      sent: setting,
      shown: { ...text, example: 'done' },
      list: ofArray(setting),
    });
    expect(await post({ value: 'dark' })).toBe('done');
  });

  test('rows bring them in `value`, as an export shows them', async () => {
    const { state, all } = await notes(texts, { data: { '/notes': [{ value: 'eggs' }] } });
    expect(await all()).toEqual(['eggs']);
    expect(await state.export()).toEqual({ '/notes': [{ value: 'eggs' }] });
    await expect(state.import({ '/notes': [{ value: 7 }] })).rejects.toThrow(
      'row 1: the body must be a string, but is a number',
    );
  });

  test('as many are generated as are asked for', async () => {
    const { all } = await notes({ ...texts, list: ofArray(text) }, { dataCount: 3 });
    expect(await all()).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
  });
});
