import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { openMock } from '../../../fixtures/mock-client.ts';
import type { JsonObject } from '../../json/value.ts';
import { createLogRenderer, type RequestLogEntry } from '../log/log-line.ts';
import { listMismatches } from './samples.ts';
import { integer, mockOf, object, response, text } from '../../../fixtures/document-parts.ts';

interface Sample {
  readonly type: string | null;
  readonly mark: string | null;
  readonly source: string | null;
  readonly body: string;
}

async function sampleOf(range: string, media: unknown): Promise<Sample> {
  const responses = { 200: { description: 'OK', content: { [range]: media } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'An API', version: '1' },
    paths: { '/order': { get: { responses } } },
  };
  const { headers, text, undeclared } = await (await openMock(document)).get('/order');
  return {
    type: headers.get('content-type'),
    mark: undeclared,
    source: headers.get('cloche-sample'),
    body: text,
  };
}

const order = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const mark = 'other-operations';

test('writes XML of a value', async () => {
  expect(await sampleOf('application/xml', { schema: order })).toEqual({
    type: 'application/xml',
    mark: null,
    source: 'generated',
    body: expect.stringMatching(/^<\?xml [^>]*>\n<body><id>\d+<\/id><\/body>\n$/u),
  });
});

test('takes the notation that the document has an example of', async () => {
  expect(
    await sampleOf('application/xml', { schema: order, example: '<order><id>5</id></order>' }),
  ).toMatchObject({ mark: null, body: '<order><id>5</id></order>' });
});

test('writes JSON of a value in a notation that the mock does not know, and marks it', async () => {
  const orders = { type: 'array', items: order, minItems: 1 };
  expect(await sampleOf('application/yaml', { schema: orders })).toMatchObject({
    mark,
    body: expect.stringMatching(/^\[\{"id":\d+\},\{"id":\d+\}\]$/u),
  });
});

test.each([
  ['text/csv', /^id\r\n\d+\r\n\d+\r\n$/u],
  ['application/x-ndjson', /^\{"id":\d+\}\n\{"id":\d+\}\n$/u],
  ['text/event-stream', /^id: 1\ndata: \{"id":\d+\}\n\nid: 2\ndata: \{"id":\d+\}\n\n$/u],
])('writes a list in %s without a mark', async (type, body) => {
  expect(await sampleOf(type, { schema: { type: 'array', items: order, minItems: 1 } })).toMatchObject({
    mark: null,
    body: expect.stringMatching(body),
  });
});

test('answers with nothing where nothing is found, and marks it', async () => {
  expect(await sampleOf('text/html', { schema: { type: 'object', not: {} } })).toMatchObject({
    mark,
    body: '',
  });
});

test('answers with a text that two schemas take where one may, and marks it', async () => {
  const either = { oneOf: [{ type: 'string', example: 'a' }, { type: 'string' }] };
  expect(await sampleOf('text/html', { schema: either })).toMatchObject({
    mark: 'not-mocked',
    body: expect.stringMatching(/./u),
  });
});

test('leaves a text in a media type of texts as it is', async () => {
  expect(await sampleOf('text/plain', { schema: { type: 'string', enum: ['a'] } })).toMatchObject({
    mark: null,
    body: 'a',
  });
});

test.each([
  ['example', { schema: order, example: { id: 5 } }],
  ['example', { schema: { ...order, example: { id: 5 } } }],
  ['generated', { schema: order }],
  ['generated', { schema: order, example: { id: 'five' } }],
])('says where a sample comes from: %s', async (source, media) => {
  expect(await sampleOf('application/json', media)).toMatchObject({ mark: null, source });
});

test('says in the log, and to pages of other origins, that an answer is a sample', async () => {
  const lines: RequestLogEntry[] = [];
  const contract = contractOf({
    paths: {
      '/status': { get: { operationId: 'getStatus', responses: { 204: { description: 'Fine.' } } } },
    },
  });
  const { get, mock } = await openMock(contract, { log: (entry) => lines.push(entry) });
  const { headers } = await get('/status', { origin: 'http://localhost:5173' });
  expect(headers.get('cloche-sample')).toBe('empty');
  expect(headers.get('access-control-expose-headers')).toContain('Cloche-Sample');
  expect(mock.requests.list()[0]).toMatchObject({ operation: 'getStatus', sample: 'empty' });
  const render = createLogRenderer({ operations: contract.operations, columns: () => undefined });
  expect(lines.map((entry) => render(entry))).toEqual([expect.stringMatching(/getStatus \(sample\)$/u)]);
});

const note = {
  type: 'object',
  properties: { id: { type: 'integer', readOnly: true }, text: { type: 'string' } },
};

async function createNote(body: string, contentType: string): Promise<readonly unknown[]> {
  const schema = { oneOf: [note, { type: 'array', items: note }] };
  const content = { 'application/json': { schema }, 'application/xml': { schema } };
  const responses = { 201: { description: 'New.', content: { 'application/json': { schema: note } } } };
  const contract = contractOf({ paths: { '/notes': { post: { requestBody: { content }, responses } } } });
  const { post } = await openMock(contract);
  const answer = await post('/notes', body, { 'content-type': contentType });
  return [answer.status, answer.headers.get('cloche-sample')];
}

test('a create of which nothing is read, or of an empty list, is answered with a sample', async () => {
  expect(await createNote('{"text":"a"}', 'application/json')).toEqual([201, null]);
  expect(await createNote('<note/>', 'application/xml')).toEqual([201, 'generated']);
  expect(await createNote('[]', 'application/json')).toEqual([201, 'generated']);
  expect(await createNote('[{"text":"a"}]', 'application/json')).toEqual([201, null]);
});

test.each([
  ['text/csv', 'text/csv; charset=utf-8', 'a,b'],
  ['text/*', 'text/csv; charset=utf-8', 'a,b'],
  ['application/json;q=0.1, application/xml', 'application/xml', '<a/>'],
  ['application/json, text/csv', 'application/json', '{"a":1}'],
  ['*/*', 'application/json', '{"a":1}'],
  ['image/png', 'application/json', '{"a":1}'],
  ['text/csv;q=0', 'application/json', '{"a":1}'],
])('answers %s with the declared media type that it wants most: %s', async (accept, type, body) => {
  const content = {
    'text/csv': { schema: { type: 'string' }, example: 'a,b' },
    'application/json': { schema: { type: 'object' }, example: { a: 1 } },
    'application/xml': { schema: { type: 'object' }, example: '<a/>' },
  };
  const none = { description: 'Not acceptable' };
  for (const others of [{}, { 406: none }]) {
    const responses = { 200: { description: 'OK', content }, ...others };
    const { get } = await openMock(contractOf({ paths: { '/report': { get: { responses } } } }));
    const answer = await get('/report', { accept });
    const isRefused = '406' in others && /image|q=0$/u.test(accept);
    const came = [answer.status, answer.headers.get('content-type'), answer.text];
    expect(came.slice(0, isRefused ? 1 : 3)).toEqual(isRefused ? [406] : [200, type, body]);
    // What was made for one does not stand for another.
    const usual = await get('/report');
    expect(usual.headers.get('content-type')).toBe('application/json');
  }
});

test('a schema that cannot be compiled is listed among those that have no sample, beside the others', async () => {
  const get = (schema: JsonObject): JsonObject => ({
    get: { responses: { 200: { description: 'OK', content: { 'application/json': { schema } } } } },
  });
  const paths = { '/none': get({ enum: [] }), '/no': get({ not: {} }), '/order': get(order) };
  const found = (await listMismatches(contractOf({ paths }))).map(({ operation, status, message }) => [
    operation.path.template,
    status,
    message,
  ]);
  expect(found).toEqual([
    ['/none', 501, expect.stringContaining('enum must have non-empty array')],
    ['/no', 200, expect.stringContaining('may not stand here')],
  ]);
});

test.each([
  ['image/webp', 'image/webp'],
  ['image/jpeg;q=0.5, image/gif', 'image/gif'],
  ['*/*', 'image/png'],
  ['application/json', 'image/png'],
])('answers Accept: %s with a concrete type of a declared range: %s', async (accept, type) => {
  const responses = { 200: { description: 'OK', content: { 'image/*': {} } } };
  const { get } = await openMock(contractOf({ paths: { '/picture': { get: { responses } } } }));
  const answer = await get('/picture', { accept });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
});

test('serves samples for operations that no state can answer', async () => {
  const item = object({
    id: { type: 'integer', format: 'int64', minimum: 1 },
    when: { type: ['string', 'null'], format: 'date-time' },
  });
  const client = await mockOf({
    paths: {
      '/items': {
        get: {
          responses: {
            200: response({ type: 'array', minItems: 1, items: { $ref: '#/components/schemas/Item' } }),
          },
        },
      },
      '/example': {
        get: {
          responses: {
            200: {
              description: 'ok',
              content: {
                'application/json': {
                  schema: integer,
                  examples: { bad: { value: 'no' }, good: { value: 42 } },
                },
              },
            },
          },
        },
      },
      '/empty': { delete: { responses: { 204: response() } } },
      '/callback': {
        post: {
          callbacks: { done: { '{$request.body#/url}': { post: { responses: { 200: response() } } } } },
          responses: { 202: response() },
        },
      },
    },
    components: { schemas: { Item: item } },
  });
  const items = await client.get('/items');
  expect(items).toMatchObject({
    status: 200,
    body: [{ id: expect.any(Number), when: expect.any(String) }, { id: expect.any(Number) }],
  });
  expect(await client.get('/items')).toMatchObject({ body: items.body });
  expect(await client.get('/example')).toMatchObject({ status: 200, body: 42 });
  expect(await client.send('DELETE /empty')).toMatchObject({ status: 204, body: undefined });
  expect((await client.post('/callback')).status).toBe(202);
});

test('makes a sample that a condition takes, where the first value that is listed is none', async () => {
  const conditional = {
    type: 'object',
    required: ['kind'],
    properties: { kind: { enum: ['a', 'b'] }, size: integer },
    if: { properties: { kind: { const: 'a' } } },
    ...JSON.parse('{"then":false,"else":{"required":["size"]}}'),
  };
  const client = await mockOf({
    paths: { '/conditional': { get: { responses: { 200: response(conditional) } } } },
  });
  const { status, body, headers } = await client.get('/conditional');
  expect([status, headers.get('cloche-undeclared')]).toEqual([200, null]);
  expect(body).toEqual({ kind: 'b', size: expect.any(Number) });
});

test('serves the best sample that there is where none is valid, marked, and every other operation beside it', async () => {
  const code = { type: 'string', pattern: '^(?!.)x$' };
  const client = await mockOf({
    paths: {
      '/code': {
        get: { operationId: 'getCode', responses: { 200: response(object({ code, count: integer })) } },
      },
      '/never': {
        get: { operationId: 'getNever', responses: { 200: response({ not: {}, allOf: [false] }) } },
      },
      '/number': { get: { responses: { 200: response(integer) } } },
    },
  });
  const best = await client.get('/code');
  expect(best.status).toBe(200);
  expect(best.undeclared).toBe('not-mocked');
  expect(best.body).toMatchObject({ count: expect.any(Number) });
  expect(client.mock.requests.list().at(-1)).toMatchObject({
    message: expect.stringContaining('No value was found that the schema at /paths/~1code/get'),
  });
  expect((await client.get('/number')).status).toBe(200);
});

test('answers 501 with the reason where the schemas of an operation cannot be compiled, and every other operation', async () => {
  const bad = { type: 'string', minLength: 'long' };
  const answer = (schema: JsonObject): JsonObject => ({
    200: { description: 'An answer', content: { 'application/json': { schema } } },
  });
  // Whoever reads a document does without such a schema; a contract may be made otherwise.
  const contract = contractOf({
    paths: {
      '/answer': { get: { responses: answer({ $ref: '#/components/schemas/Bad' }) } },
      '/body': {
        post: {
          requestBody: { content: { 'application/json': { schema: bad } } },
          responses: answer(integer),
        },
      },
      '/number': { get: { responses: answer(integer) } },
    },
    components: { schemas: { Bad: bad } },
  });
  const client = await openMock(contract);
  for (const line of ['GET /answer', 'POST /body']) {
    const came = await client.send(line);
    expect([came.status, came.undeclared]).toEqual([501, 'not-mocked']);
    expect(came.text).toContain('minLength');
  }
  expect((await client.get('/number')).status).toBe(200);
});

test('says of what is kept that no answer can show it, where the alternatives of the schema exclude each other', async () => {
  const note = object({ note: text });
  const client = await mockOf({
    paths: {
      '/notes': {
        get: { responses: { 200: response({ type: 'array', items: { oneOf: [note, note] } }) } },
        post: {
          requestBody: { content: { 'application/json': { schema: note } } },
          responses: { 201: response({ oneOf: [note, note] }) },
        },
      },
    },
  });
  for (const method of ['POST', 'GET']) {
    const answer = await client.send(`${method} /notes`, method === 'POST' ? { note: 'a' } : undefined);
    expect(answer.headers.get('cloche-undeclared')).toBe('not-mocked');
  }
});
