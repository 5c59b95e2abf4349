import { describe, expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { type MockClient, openMock } from '../../../fixtures/mock-client.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Mock, MockOptions } from '../mock.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: 'object',
  required,
  properties,
});
const content = (schema: JsonObject, shown: JsonObject = {}): JsonObject => ({
  content: { 'application/json': { schema, ...shown } },
});
const answer = (schema: JsonObject, shown: JsonObject = {}): JsonObject => ({
  description: 'An answer.',
  ...content(schema, shown),
});
const inPath = (name: string): JsonObject => ({ name, in: 'path', required: true, schema: integer });

const plot = object({ id: integer, crop: text }, ['id', 'crop']);

function mocked(paths: JsonObject): Promise<MockClient> {
  return openMock(contractOf({ paths }));
}

describe('what a document shows around an item', () => {
  const envelope = object({ success: { type: 'boolean' }, message: text, data: plot });
  const example = { success: true, message: 'The plot is yours', data: { id: 900, crop: 'peas' } };
  const plots = (created: JsonObject, deleted: JsonObject): JsonObject => ({
    '/plots': {
      post: { requestBody: content(object({ crop: text }, ['crop'])), responses: { 201: created } },
    },
    '/plots/{id}': {
      parameters: [inPath('id')],
      get: { responses: { 200: answer(plot), 404: { description: 'None.' } } },
      delete: { responses: { 200: deleted } },
    },
  });

  test('stays, with the item in the place of that of the example', async () => {
    const client = await mocked(plots(answer(envelope, { example }), answer(plot)));
    const { body } = await client.post('/plots', { crop: 'beans' });
    // The example is there as 900.
    expect(body).toEqual({ ...example, data: { id: 901, crop: 'beans' } });
  });

  test('is left out if its schema rejects the example', async () => {
    const wrong = { ...example, success: 'yes' };
    const client = await mocked(plots(answer(envelope, { example: wrong }), answer(plot)));
    const { body } = await client.post('/plots', { crop: 'beans' });
    expect(body).toEqual({ data: { id: 901, crop: 'beans' } });
  });

  test('is the whole response if the response shows no item, with the id of the item', async () => {
    const receipt = object({ id: integer, message: text, returned: { type: 'boolean' }, at: text });
    const shown = { id: 5, message: 'The plot is free again', returned: true };
    const client = await mocked(plots(answer(plot), answer(receipt, { example: shown })));
    await client.post('/plots', { crop: 'beans' });
    expect((await client.send('DELETE /plots/1')).body).toEqual({ ...shown, id: 1 });
  });

  test('comes from the properties too, which need not be required', async () => {
    const status = object({ status: { ...text, example: 'success' }, note: text, data: plot });
    const client = await mocked(plots(answer(status), answer(plot)));
    const { body } = await client.post('/plots', { crop: 'beans' });
    expect(body).toEqual({ status: 'success', data: { id: 1, crop: 'beans' } });
  });
});

describe('headers of a response', () => {
  const headersOf = async (headers: JsonObject): Promise<Headers> => {
    const paths = { '/entry': { get: { responses: { 302: { description: 'Go on.', headers } } } } };
    return (await (await mocked(paths)).get('/entry')).headers;
  };

  test('have the values of their examples, required or not', async () => {
    const headers = await headersOf({
      Location: { schema: text, example: 'https://sign-in.example/start' },
      'Retry-After': { schema: { ...integer, default: 5 } },
      'X-Hall': { schema: text, examples: { north: { value: 'North hall' } } },
      'X-Note': { schema: text },
    });
    const names = ['location', 'retry-after', 'x-hall', 'x-note'];
    expect(names.map((name) => headers.get(name))).toEqual([
      'https://sign-in.example/start',
      '5',
      'North hall',
      null,
    ]);
  });

  test('have no example that their schema rejects', async () => {
    const headers = await headersOf({
      'X-Waiting': { required: true, schema: integer, example: 'many' },
      'X-Seats': { schema: integer, example: 'many' },
    });
    expect([headers.get('x-waiting'), headers.get('x-seats')]).toEqual([
      expect.stringMatching(/^\d+$/u),
      null,
    ]);
  });
});

describe('refusals', () => {
  const failure = object({ code: text, message: text }, ['code', 'message']);
  const member = object({ email: { ...text, format: 'email' }, age: { ...integer, minimum: 18 } }, [
    'email',
    'age',
  ]);
  const members = (responses: JsonObject): JsonObject => ({
    '/members': { post: { requestBody: { required: true, ...content(member) }, responses } },
  });
  const created = { 201: { description: 'Created.' } };

  test('have the code of the declared example, and the actual reason', async () => {
    const example = { code: 'INVALID_INPUT', message: 'Something is wrong.' };
    const client = await mocked(members({ ...created, 400: answer(failure, { example }) }));
    expect((await client.post('/members', { email: 'a@b.example' })).body).toEqual({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('age'),
    });
  });

  test('do not have the code of another status', async () => {
    const example = { code: 'CONFLICT', message: 'It exists.' };
    const client = await mocked(members({ ...created, 409: answer(failure, { example }) }));
    expect((await client.post('/members', {})).body).toMatchObject({ code: 'invalid-body' });
  });

  const list = (entry: JsonObject): JsonObject =>
    object({ errors: { type: 'array', items: entry } }, ['errors']);
  const sent = { email: 'zz', age: 3 };

  test.each<[string, JsonObject, unknown]>([
    [
      'field and message',
      list(object({ field: text, message: text }, ['field', 'message'])),
      {
        errors: [
          { field: 'email', message: expect.any(String) },
          { field: 'age', message: expect.any(String) },
        ],
      },
    ],
    [
      'a JSON Pointer in a source',
      list(object({ source: object({ pointer: text }, ['pointer']), detail: text }, ['source', 'detail'])),
      {
        errors: [
          { source: { pointer: '/email' }, detail: expect.any(String) },
          { source: { pointer: '/age' }, detail: expect.any(String) },
        ],
      },
    ],
    [
      'a map of messages',
      object({ errors: { type: 'object', additionalProperties: { type: 'array', items: text } } }, [
        'errors',
      ]),
      { errors: { email: [expect.any(String)], age: [expect.any(String)] } },
    ],
  ])('list each problem with its place: %s', async (_, schema, expected) => {
    const client = await mocked(members({ ...created, 422: answer(schema) }));
    expect((await client.post('/members', sent)).body).toEqual(expected);
  });

  test('answer an operation that declares nothing else', async () => {
    const gone = object({ note: text });
    const client = await mocked({
      '/fax-numbers': { get: { responses: { 410: answer(gone, { example: { note: 'Please call' } }) } } },
    });
    const { status, body, headers } = await client.get('/fax-numbers');
    expect([status, body, headers.get('cloche-undeclared')]).toEqual([410, { note: 'Please call' }, null]);
  });
});

test('a create whose response rejects what is stored shows the id that reads take', async () => {
  const shapes = { ...object({ id: text }, ['id']), minProperties: 3, additionalProperties: integer };
  const client = await mocked({
    '/services': {
      post: { requestBody: content(object({ name: text })), responses: { 201: answer(shapes) } },
    },
    '/services/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      get: { responses: { 200: answer(shapes), 404: { description: 'None.' } } },
    },
  });
  const { body } = await client.post('/services', {});
  // `as`: the response has an id.
  const { id } = body as { id: string };
  expect((await client.get(`/services/${id}`)).status).toBe(200);
});

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
