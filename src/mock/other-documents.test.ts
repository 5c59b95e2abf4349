import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { type MockClient, openMock } from '../../fixtures/mock-client.ts';
import type { JsonObject } from '../json/value.ts';
import { integer, json, mockOf, object, response, text } from '../../fixtures/document-parts.ts';

const newOrder = object({ note: text }, ['note']);
const order = object({
  id: { ...integer, readOnly: true },
  note: text,
  createdAt: { type: 'string', format: 'date-time', readOnly: true },
});
const location = {
  headers: { Location: { required: true, schema: { type: 'string', format: 'uri-reference' } } },
};

test('makes keys, answers 201 with Location, and fills what the answer requires', async () => {
  const client = await mockOf({
    paths: {
      '/shops/{shop}/orders': {
        parameters: [{ name: 'shop', in: 'path', required: true, schema: text }],
        post: {
          requestBody: { required: true, ...Object(json(newOrder)) },
          responses: { 201: response(order, location) },
        },
      },
    },
  });
  const first = await client.post('/shops/a%20b/orders?x=1', { note: 'one' });
  expect(first).toMatchObject({
    status: 201,
    body: { id: 1, note: 'one', createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u) },
  });
  expect(first.headers.get('location')).toBe('/shops/a%20b/orders/1');
  expect(await client.post('/shops/a%20b/orders', { note: 'two' })).toMatchObject({ body: { id: 2 } });
  expect(await client.post('/shops/other/orders', { note: 'three' })).toMatchObject({
    body: { id: 1 },
  });
});

test('gives a whole URL where Location takes nothing else', async () => {
  const headers = { headers: { Location: { schema: { type: 'string', format: 'uri' } } } };
  const client = await mockOf({
    paths: {
      '/orders': { post: { requestBody: json(newOrder), responses: { 201: response(order, headers) } } },
    },
  });
  const answer = await client.post('/orders', { note: 'one' }, { host: 'api.example.com' });
  expect(answer.headers.get('location')).toBe('http://api.example.com/orders/1');
});

test('gives a place that the pattern of Location takes', async () => {
  const locationOf = async (pattern: string): Promise<string | null> => {
    const headers = { headers: { Location: { schema: { type: 'string', pattern } } } };
    const client = await mockOf({
      paths: {
        '/orders': { post: { requestBody: json(newOrder), responses: { 201: response(order, headers) } } },
      },
    });
    return (await client.post('/orders', { note: 'one' })).headers.get('location');
  };
  expect(await locationOf('^/orders/')).toBe('/orders/1');
  expect(await locationOf('^http:')).toBe('http://localhost/orders/1');
  expect(await locationOf('^https://[a-z]{3}/1$')).toMatch(/^https:\/\/[a-z]{3}\/1$/u);
});

test('makes keys that are texts', async () => {
  const withKey = (id: unknown): Promise<MockClient> =>
    mockOf({
      paths: {
        '/orders': {
          post: { requestBody: json(newOrder), responses: { 201: response(object({ id, note: text })) } },
        },
      },
    });
  expect(
    await (await withKey({ type: 'string', format: 'uuid' })).post('/orders', { note: 'a' }),
  ).toMatchObject({
    body: { id: '00000000-0000-4000-8000-000000000001' },
  });
  expect(
    await (await withKey({ type: 'string', pattern: '^\\d+$' })).post('/orders', { note: 'a' }),
  ).toMatchObject({ body: { id: '1' } });
});

test('does not take from a client what is read-only, nor show what is write-only', async () => {
  const user = object({
    id: { ...integer, readOnly: true },
    name: text,
    password: { ...text, writeOnly: true },
  });
  const client = await mockOf({
    paths: { '/users': { post: { requestBody: json(user), responses: { 201: response(user) } } } },
  });
  const answer = await client.post('/users', { id: 99, name: 'a', password: 's3cret' });
  expect(answer).toMatchObject({ status: 201 });
  expect(answer.body).toEqual({ id: 1, name: 'a' });
});

test('answers with what its own schema accepts, whatever was sent', async () => {
  const sent = object({ id: integer, level: integer, note: text }, ['id']);
  const shown = {
    ...Object(object({ id: integer, level: { ...integer, maximum: 5 }, label: { enum: ['x', 'y'] } })),
    additionalProperties: false,
  };
  const client = await mockOf(
    { paths: { '/orders': { post: { requestBody: json(sent), responses: { 200: response(shown) } } } } },
    { policy: { 'undeclared-properties': 'store' } },
  );
  const label = expect.stringMatching(/^[xy]$/u) as string; // `as`: it stands for a text
  const { body } = await client.post('/orders', { id: 1, level: 3, note: 'a', stray: 1 });
  expect(body).toEqual({ id: 1, level: 3, label });
  expect((await client.post('/orders', { id: 2, level: 9 })).body).toEqual({ id: 2, level: 1, label });
});

test('answers a create that has no content, and one whose answer is no object', async () => {
  const client = await mockOf({
    paths: {
      '/none': { post: { requestBody: json(object({ id: integer })), responses: { 204: response() } } },
      '/list': {
        post: {
          'x-cloche-resource': { role: 'create' },
          requestBody: json(object({ id: integer })),
          responses: { 200: response({ type: 'array', items: integer }) },
        },
      },
    },
  });
  expect(await client.post('/none', { id: 1 })).toMatchObject({ status: 204, body: undefined });
  expect(await client.post('/list', { id: 1 })).toMatchObject({ status: 200, body: [1] });
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

test('reads forms, and answers a declared notation that it does not read with a sample', async () => {
  const schema = object({ id: integer, name: text });
  const media = { 'application/x-www-form-urlencoded': { schema }, 'application/xml': { schema } };
  const client = await mockOf({
    paths: {
      '/orders': {
        post: {
          requestBody: { content: { 'application/json': { schema }, ...media } },
          responses: { 200: response(schema), 400: response(problem) },
        },
      },
    },
  });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await client.post('/orders', 'id=5&name=a+b', form)).toMatchObject({
    status: 200,
    body: { id: 5, name: 'a b' },
  });
  expect(await client.post('/orders', 'id=x&name=a', form)).toMatchObject({ status: 400 });
  expect(await client.post('/orders', '<a/>', { 'content-type': 'application/xml' })).toMatchObject({
    status: 200,
    body: { id: 1, name: 'text' },
  });
});

test('takes content in a coding where the document declares the field', async () => {
  const coding = { name: 'Content-Encoding', in: 'header', required: true, schema: { enum: ['gzip'] } };
  const takes = { requestBody: json(object({ id: integer })), responses: { 200: response() } };
  const client = await mockOf({ paths: { '/packed': { post: { parameters: [coding], ...takes } } } });
  const send = async (value: string): Promise<number> =>
    (await client.post('/packed', 'not unpacked', { 'content-encoding': value })).status;
  expect([await send('gzip'), await send('br')]).toEqual([200, 400]);
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
  const endless = { allOf: [{ $ref: '#/components/schemas/Endless' }] };
  const answer = (schema: JsonObject): JsonObject => ({
    200: { description: 'An answer', content: { 'application/json': { schema } } },
  });
  // Whoever reads a document does without such a schema; a contract may be made otherwise.
  const contract = contractOf({
    paths: {
      '/answer': { get: { responses: answer({ $ref: '#/components/schemas/Endless' }) } },
      '/body': {
        post: {
          requestBody: { content: { 'application/json': { schema: endless } } },
          responses: answer(integer),
        },
      },
      '/number': { get: { responses: answer(integer) } },
    },
    components: { schemas: { Endless: endless } },
  });
  const client = await openMock(contract);
  for (const line of ['GET /answer', 'POST /body']) {
    const came = await client.send(line);
    expect([came.status, came.undeclared]).toEqual([501, 'not-mocked']);
    expect(came.text).toContain('refers to itself');
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

test('keeps what is created without a body: an item of what the service makes', async () => {
  const session = object({ id: integer, note: text });
  const pathId = { name: 'id', in: 'path', required: true, schema: integer };
  const client = await mockOf({
    paths: {
      '/sessions': {
        get: { responses: { 200: response({ type: 'array', items: session }) } },
        post: { responses: { 201: response(session) } },
      },
      '/sessions/{id}': { get: { parameters: [pathId], responses: { 200: response(session) } } },
      '/locks/{id}': {
        get: { parameters: [pathId], responses: { 200: response(session) } },
        put: { parameters: [pathId], responses: { 201: response(session) } },
      },
    },
  });
  const made = await client.post('/sessions');
  expect(made).toMatchObject({ status: 201, body: { id: 1 } });
  expect(await client.get('/sessions/1')).toMatchObject({ status: 200, body: { id: 1 } });
  expect(await client.send('PUT /locks/7')).toMatchObject({ status: 201 });
  expect(await client.get('/locks/7')).toMatchObject({ status: 200, body: { id: 7 } });
});

test('names what is created without a body, though clients name their items', async () => {
  const pathId = { name: 'id', in: 'path', required: true, schema: integer };
  const rule = object({ id: integer, note: text });
  const client = await mockOf({
    paths: {
      '/rules': { post: { requestBody: json(rule) as JsonObject, responses: { 201: response(rule) } } },
      '/rules/{id}': { get: { parameters: [pathId], responses: { 200: response(rule) } } },
    },
  });
  const made = await client.post('/rules');
  expect(made).toMatchObject({ status: 201, body: { id: 1 } });
  expect(made.headers.get('location')).toBe('/rules/1');
  expect(await client.get('/rules/1')).toMatchObject({ status: 200, body: { id: 1 } });
});

test('a text that nearly fits a pattern which backtracks without bound is refused as any other', async () => {
  const file = { type: 'string', pattern: String.raw`^(([a-z0-9-_ ]|[^\\x00-\\x7F])+.(json|yaml|yml))$` };
  const client = await mockOf({
    paths: {
      '/files': {
        post: {
          requestBody: { required: true, ...(json(object({ file })) as object) },
          responses: { '201': response(object({ file })), '400': response() },
        },
      },
    },
  });
  expect(await client.post('/files', { file: 'a'.repeat(38) })).toMatchObject({ status: 400 });
  expect(await client.post('/files', { file: 'plants.yaml' })).toMatchObject({ status: 201 });
});
