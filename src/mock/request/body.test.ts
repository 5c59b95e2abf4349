import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createMockClient, openPlantStore } from '../../../fixtures/mock-client.ts';
import type { ClientResponse } from '../../../fixtures/service-client.ts';
import { createMock } from '../create-mock.ts';
import type { MockOptions } from '../mock.ts';
import { acceptsMedia, chooseAccepted } from './body.ts';
import { integer, json, mockOf, object, response, text } from '../../../fixtures/document-parts.ts';

test.each([
  ['*/*', true],
  ['application/json', true],
  ['APPLICATION/JSON', true],
  ['text/html, application/*;q=0.1', true],
  ['application/json;version=1', true],
  ['text/html', false],
  ['text/html, */*;q=0', false],
  ['application/json;q=0, */*', false],
  ['application/json;q=0.5, */*;q=0', true],
  ['', true],
  ['garbage', false],
])('reads %j as %j for application/json', (accept, allowed) => {
  expect(acceptsMedia(accept, 'application/json')).toBe(allowed);
});

test.each([
  ['application/json;version=2', true],
  ['application/json;version=1', false],
  ['application/json;version=1;q=0.1, */*;q=0.5', true],
  ['application/json;version=2;q=0, application/json', false],
  ['application/json;charset=utf-8', true],
  ['application/json', true],
])('reads %j as %j for application/json;version=2', (accept, allowed) => {
  expect(acceptsMedia(accept, 'application/json;version=2')).toBe(allowed);
});

test.each([
  ['application/json;version=2', 1],
  ['application/json;version=1', 0],
  ['application/json', 0],
  ['application/json;version=3', 0],
  ['application/json;version=1;q=0.2, application/json;version=2;q=0.3', 1],
])('chooses by %j the version %j', (accept, index) => {
  expect(chooseAccepted(accept, ['application/json;version=1', 'application/json;version=2'])).toBe(index);
});

const mebibyte = 1_048_576;

async function statusOf(size: number, contentType: string, options: MockOptions = {}): Promise<number> {
  const content = { 'image/*': {}, 'application/json': {}, 'application/x-www-form-urlencoded': {} };
  const responses = { 204: { description: 'Stored' }, 400: { description: 'Not valid' } };
  const paths = { '/portraits': { post: { requestBody: { content }, responses } } };
  const mock = await createMock(contractOf({ paths }), options);
  const headers = { 'content-type': contentType };
  const body = `"${'a'.repeat(size - 2)}"`;
  return (await mock.fetch('/portraits', { method: 'POST', headers, body })).status;
}

test.each([
  ['accepts', 3 * mebibyte, 'image/jpeg', 204],
  ['accepts', 16 * mebibyte, 'image/jpeg', 204],
  ['refuses', 16 * mebibyte + 1, 'image/jpeg', 400],
  ['accepts', 10 * mebibyte, 'application/json', 204],
  ['refuses', 10 * mebibyte + 1, 'application/json', 400],
  ['refuses', 10 * mebibyte + 1, 'application/x-www-form-urlencoded', 400],
])('%s %i bytes of %s', async (_, size, contentType, status) => {
  expect(await statusOf(size, contentType)).toBe(status);
});

test('refuses what is larger than the configured limit, whatever its media type', async () => {
  const options = { policy: { 'body-limit': { bytes: 10, status: 413 } } };
  expect(await statusOf(11, 'image/jpeg', options)).toBe(413);
  expect(await statusOf(10, 'image/jpeg', options)).toBe(204);
});

/** What a refusal consists of. */
function shown({ status, body, headers, undeclared }: ClientResponse): unknown {
  const type = headers.get('content-type');
  return { status, body, type, undeclared };
}

/** A declared refusal: an Error with the status as its number, and nothing that marks it as undeclared. */
function refused(message: string): unknown {
  return { status: 400, body: { error: 400, message }, type: 'application/json', undeclared: null };
}

test('answers with name and tag exactly as they were sent', async () => {
  const client = await openPlantStore();
  let id = 0;
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', ' a ', '1', '\0', '"', '\u{1F331}'),
  );
  await fc.assert(
    fc.asyncProperty(fc.record({ name: text, tag: text }, { requiredKeys: ['name'] }), async (plant) => {
      id += 1;
      const answer = await client.post('/plants', JSON.stringify({ id, ...plant }));
      expect(answer).toMatchObject({ status: 200, body: plant });
    }),
  );
});

test('keeps a lone surrogate that was escaped', async () => {
  const client = await openPlantStore();
  expect((await client.post('/plants', String.raw`{"id":1,"name":"\ud800"}`)).text).toBe(
    String.raw`{"name":"\ud800"}`,
  );
});

test('refuses an id that exists', async () => {
  const client = await openPlantStore();
  await client.post('/plants', '{"id":1,"name":"Fern"}');
  const message = '/id 1 is taken: a resource with it exists already.';
  expect(shown(await client.post('/plants', '{"id":1,"name":"Moss"}'))).toEqual(refused(message));
});

test.each([
  ['9007199254740992', '9007199254740993'],
  ['1', '4294967297'],
  ['0', '9223372036854775807'],
  ['-9223372036854775808', '-9223372036854775807'],
])('takes the ids %s and %s for two', async (first, second) => {
  const client = await openPlantStore();
  expect((await client.post('/plants', `{"id":${first},"name":"a"}`)).status).toBe(200);
  expect((await client.post('/plants', `{"id":${second},"name":"b"}`)).status).toBe(200);
});

test.each([
  ['1', '1.0'],
  ['100', '1e2'],
  ['1', '10e-1'],
  ['9007199254740993', '9007199254740993.0'],
  ['0', '-0'],
])('takes the ids %s and %s for one', async (first, second) => {
  const client = await openPlantStore();
  expect((await client.post('/plants', `{"id":${first},"name":"a"}`)).status).toBe(200);
  expect((await client.post('/plants', `{"id":${second},"name":"b"}`)).status).toBe(400);
});

test.each([
  [
    '{"id":9223372036854775808,"name":"a"}',
    'The body is not valid: /id must be at most 9223372036854775807 (int64), but is 9223372036854775808.',
  ],
  ['{"id":"1","name":"a"}', 'The body is not valid: /id must be an integer, but is a string.'],
  ['{"id":1.5,"name":"a"}', 'The body is not valid: /id must be an integer, but is 1.5.'],
  ['{"id":1}', 'The body is not valid: /name is required, but missing.'],
  ['{"id":1,"name":"a","tag":null}', 'The body is not valid: /tag must be a string, but is null.'],
  ['[]', 'The body is not valid: the body must be an object, but is an array.'],
  ['{"id":1,"name":"a"', 'The body is not JSON: at line 1, column 19, the text ends too early.'],
  ['{"id":4,', 'The body is not JSON: at line 1, column 9, the text ends too early.'],
  ['{"id":1,\n"name":a}', 'The body is not JSON: at line 2, column 8, unexpected character "a".'],
  [
    '\uFEFF{"id":1,"name":"a"}',
    'The body starts with a byte order mark, which JSON may not (RFC 8259 §8.1).',
  ],
  ['{"id":1,"name":"a",}', 'The body is not JSON: at line 1, column 20, "}" stands where none may.'],
])('refuses %j in words', async (body, message) => {
  expect(shown(await (await openPlantStore()).post('/plants', body))).toEqual(refused(message));
});

test('names several problems at once', async () => {
  const { text } = await (await openPlantStore()).post('/plants', '{"id":null,"tag":1}');
  expect(text).toContain('/name is required');
  expect(text).toContain('/id must be an integer');
});

test('refuses a request without a body', async () => {
  expect(shown(await (await openPlantStore()).post('/plants'))).toEqual(
    refused('The request has no body, and one is required.'),
  );
});

test('refuses bytes that are no UTF-8', async () => {
  const body = new Uint8Array([0x22, 0xff, 0x22]);
  expect(
    shown(await (await openPlantStore()).post('/plants', body, { 'content-type': 'application/json' })),
  ).toEqual(refused('The body is not valid UTF-8.'));
});

test.each(['text/plain', 'application/xml', 'application/jsonp', 'json', ''])(
  'refuses the media type %j',
  async (type) => {
    const answer = await (
      await openPlantStore()
    ).post('/plants', '{"id":1,"name":"a"}', { 'content-type': type });
    expect(shown(answer)).toEqual(
      refused(`The Content-Type ${JSON.stringify(type)} is not supported: send application/json.`),
    );
  },
);

test('refuses content without a media type, and content that is compressed', async () => {
  const client = await openPlantStore();
  const body = new TextEncoder().encode('{"id":1,"name":"a"}');
  expect(shown(await client.post('/plants', body))).toEqual(
    refused('The request has no Content-Type: send application/json.'),
  );
  const packed = await client.post('/plants', '{}', { 'content-encoding': 'gzip' });
  expect(shown(packed)).toEqual(
    refused('The Content-Encoding "gzip" is not supported: send the body as it is.'),
  );
});

test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;'])(
  'reads the media type %j',
  async (type) => {
    expect(
      (await (await openPlantStore()).post('/plants', '{"id":1,"name":"a"}', { 'content-type': type }))
        .status,
    ).toBe(200);
  },
);

test('refuses more than 10 MiB, accepts exactly 10 MiB, and names the policy key', async () => {
  const client = await openPlantStore();
  const frame = '{"id":1,"name":""}'.length;
  const fitting = `{"id":1,"name":"${'a'.repeat(10 * mebibyte - frame)}"}`;
  expect((await client.post('/plants', fitting)).status).toBe(200);
  const message =
    'The body is larger than 10485760 bytes, which is the most that is read: the policy key "body-limit" changes it.';
  expect(shown(await client.post('/plants', `${fitting} `))).toEqual(refused(message));
});

test('refuses nesting that would exhaust the stack', async () => {
  const deep = `{"id":1,"name":"a","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expect(shown(await (await openPlantStore()).post('/plants', deep))).toEqual(
    refused('The body is nested deeper than 512 levels, which is the most that is read.'),
  );
});

test('takes __proto__ and constructor for keys like any other', async () => {
  const client = await openPlantStore();
  expect((await client.post('/plants', '{"__proto__":{"name":"a"},"id":1}')).status).toBe(400);
  expect(
    (await client.post('/plants', '{"__proto__":{"tag":"b"},"constructor":1,"id":1,"name":"a"}')).text,
  ).toBe('{"name":"a"}');
});

const message = { type: 'object', required: ['message'], properties: { message: { type: 'string' } } };
const answer = (schema: unknown) => ({ description: 'ok', content: { 'application/json': { schema } } });
const song = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'cover'],
  properties: {
    title: { type: 'string', minLength: 2 },
    stars: { type: 'integer', maximum: 5 },
    tags: { type: 'array', items: { type: 'string' } },
    artist: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    cover: { type: 'string', format: 'binary' },
  },
};
const storedSong = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    title: { type: 'string' },
    stars: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    artist: { type: 'object' },
  },
};
const post = (content: unknown) => ({
  requestBody: { required: true, content },
  responses: { 201: answer(storedSong), 400: answer(message) },
});
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const { cover: _, ...texts } = song.properties;
const document = {
  openapi: '3.0.3',
  info: { title: 'Songs', version: '1' },
  paths: {
    '/songs': {
      post: post({
        'multipart/form-data': {
          schema: song,
          encoding: { cover: { contentType: 'image/png, image/jpeg' } },
        },
      }),
    },
    '/songs/{id}': {
      parameters: [id],
      get: { responses: { 200: answer(storedSong), 404: answer(message) } },
    },
    '/notes': {
      post: post({
        'application/x-www-form-urlencoded': {
          schema: { ...song, required: ['title'], properties: texts },
        },
      }),
    },
    '/notes/{id}': {
      parameters: [id],
      get: { responses: { 200: answer(storedSong), 404: answer(message) } },
    },
  },
};

const { mock, get, post: send } = createMockClient(await createMock(document));

function form(fields: Record<string, string | Blob>): FormData {
  const data = new FormData();
  Object.entries(fields).forEach(([name, value]) => data.append(name, value));
  return data;
}

const picture = new Blob([new Uint8Array([137, 80, 78, 71])], { type: 'image/png' });

test('keeps what a multipart form brings, of the types that are declared', async () => {
  const data = form({ title: 'Blue', stars: '4', artist: '{"name":"Joni"}', cover: picture });
  data.append('tags', 'folk');
  data.append('tags', 'seventies');
  const kept = { id: 1, title: 'Blue', stars: 4, tags: ['folk', 'seventies'], artist: { name: 'Joni' } };
  expect(await send('/songs', data)).toEqual({ status: 201, body: kept });
  expect((await get('/songs/1')).body).toEqual(kept);
});

test.each([
  [{ title: 'Blue' }, '/cover is required, but missing'],
  [{ cover: picture }, '/title is required, but missing'],
  [{ title: 'B', cover: picture }, '/title must have at least 2 characters, but has 1'],
  [{ title: 'Blue', stars: 'many', cover: picture }, '/stars must be an integer, but is a string'],
  [{ title: 'Blue', stars: '6', cover: picture }, '/stars must be at most 5, but is 6'],
  [{ title: 'Blue', artist: '{}', cover: picture }, '/artist/name is required, but missing'],
  [{ title: 'Blue', cover: picture, lyrics: 'la' }, '/lyrics is not a property that may stand here'],
  [
    { title: 'Blue', cover: new Blob(['x'], { type: 'text/plain' }) },
    '/cover has the Content-Type "text/plain", but must have image/png, image/jpeg',
  ],
])('refuses a part that the document forbids: %#', async (fields, reason) => {
  expect(await send('/songs', form(fields))).toEqual({
    status: 400,
    body: { message: expect.stringContaining(`The body is not valid: ${reason}`) },
  });
  expect(mock.requests.list({ verdict: 'refused' }).at(-1)?.problems).toEqual([
    expect.objectContaining({ reason: expect.stringContaining(reason), clause: expect.anything() }),
  ]);
});

test('refuses what cannot be cut into parts, and says why', async () => {
  const content = '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nBlue';
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  expect(await send('/songs', content, headers)).toEqual({
    status: 400,
    body: { message: 'The body cannot be read: it ends without the line that closes it.' },
  });
});

test('keeps what a form brings, lists and objects in it', async () => {
  const data = new URLSearchParams({ title: 'Blue', stars: '4', 'artist[name]': 'Joni' });
  data.append('tags', 'folk');
  const kept = { id: 1, title: 'Blue', stars: 4, tags: ['folk'], artist: { name: 'Joni' } };
  expect(await send('/notes', data)).toEqual({ status: 201, body: kept });
  expect((await get('/notes/1')).body).toEqual(kept);
  expect(await send('/notes', new URLSearchParams({ stars: '4' }))).toEqual({
    status: 400,
    body: { message: 'The body is not valid: /title is required, but missing.' },
  });
});

const problem = object({ title: text, detail: text });

test('reads forms, and answers a declared notation that it does not read with a sample', async () => {
  const schema = object({ id: integer, name: text });
  const media = { 'application/x-www-form-urlencoded': { schema }, 'text/csv': { schema } };
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
  expect(await client.post('/orders', 'a', { 'content-type': 'text/csv' })).toMatchObject({
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
