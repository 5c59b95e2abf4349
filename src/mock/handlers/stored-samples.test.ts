import { afterEach, expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import type { JsonObject } from '../../json/value.ts';
import { createMock } from '../create-mock.ts';
import type { Mock, MockOptions } from '../mock.ts';

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const ok = (body: JsonObject = {}): JsonObject => ({ '200': { description: 'OK', ...body } });
const created = (body: JsonObject): JsonObject => ({ '201': { description: 'created', ...body } });
const done: JsonObject = { '204': { description: 'done' } };
const binary: JsonObject = { schema: { type: 'string', format: 'binary' } };
const id: JsonObject = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

const user: JsonObject = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    age: { type: 'integer' },
    createdAt: { type: 'string', format: 'date-time', readOnly: true },
  },
};
const file: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
};
const form: JsonObject = {
  schema: {
    type: 'object',
    properties: { file: { type: 'string', format: 'binary' }, name: { type: 'string' } },
  },
};

const contract = contractOf({
  paths: {
    '/me': { get: { operationId: 'getMe', responses: ok(json(user)) } },
    '/version': { get: { responses: ok(json({ type: 'string', const: '1.0' })) } },
    '/theme': { get: { responses: ok(json(user)) }, put: { requestBody: json(user), responses: ok() } },
    '/users/{id}/settings': { get: { parameters: [id], responses: ok(json(user)) } },
    '/avatar': {
      get: { responses: ok({ content: { 'image/png': binary, 'image/gif': {} } }) },
      put: { requestBody: { required: true, content: { 'image/*': {} } }, responses: done },
      delete: { responses: done },
    },
    '/files': {
      get: { responses: ok(json({ type: 'array', items: file })) },
      post: {
        requestBody: {
          required: true,
          content: { 'application/octet-stream': binary, 'multipart/form-data': form },
        },
        responses: created(json(file)),
      },
    },
    '/files/{id}': {
      parameters: [id],
      get: { responses: ok(json(file)) },
      delete: { responses: done },
    },
    '/files/{id}/content': {
      parameters: [id],
      get: { responses: ok({ content: { '*/*': binary } }) },
      put: { requestBody: { content: { '*/*': binary } }, responses: ok(json(file)) },
    },
    '/photos': {
      post: { requestBody: { content: { 'image/png': {} } }, responses: created(json(file)) },
      get: { responses: ok({ content: { 'application/zip': {} } }) },
    },
    '/photos/{id}': {
      parameters: [id],
      get: { responses: ok({ content: { 'image/png': {} } }) },
      delete: { responses: done },
    },
    '/report': {
      get: { responses: ok({ content: { 'application/pdf': {} } }) },
      put: { requestBody: json({ type: 'object', properties: {} }), responses: done },
      delete: { responses: done },
    },
  },
});

let mock: Mock;
let url: string;
afterEach(() => mock.close());

async function start(options: MockOptions = {}): Promise<void> {
  mock = await createMock(contract, options);
  ({ url } = await mock.listen());
}

/** Bytes that no text has. */
const bytes = Uint8Array.from({ length: 300 }, (_, index) => (index * 7) % 256);

function send(
  method: string,
  path: string,
  type: string,
  body: string | FormData | Uint8Array<ArrayBuffer> = bytes,
): Promise<Response> {
  return fetch(`${url}${path}`, { method, headers: type === '' ? {} : { 'content-type': type }, body });
}

async function read(path: string): Promise<readonly [status: number, type: string | null, bytes: Buffer]> {
  const response = await fetch(`${url}${path}`);
  const body = Buffer.from(await response.arrayBuffer());
  return [response.status, response.headers.get('content-type'), body];
}

const remove = (path: string): Promise<Response> => fetch(`${url}${path}`, { method: 'DELETE' });

async function readJson(path: string): Promise<unknown> {
  return (await fetch(`${url}${path}`)).json();
}

test('data seeds a singleton that is only read, and reset restores it', async () => {
  await start({ data: { '/me': { name: 'Ann', age: 7 } } });
  const response = await fetch(`${url}/me`);
  expect(response.headers.get('cloche-sample')).toBeNull();
  expect(await response.json()).toEqual({ name: 'Ann', age: 7 });
  await mock.state.import({ '/me': { name: 'Bo' } });
  expect(await readJson('/me')).toEqual({ name: 'Bo' });
  await mock.state.delete('/me');
  expect((await fetch(`${url}/me`)).headers.get('cloche-sample')).toBe('generated');
  await mock.reset();
  expect(await readJson('/me')).toEqual({ name: 'Ann', age: 7 });
});

test('data seeds a singleton that is read and replaced', async () => {
  await start({ data: { '/theme': { name: 'dark' } } });
  expect(await readJson('/theme')).toMatchObject({ name: 'dark' });
  await send('PUT', '/theme', 'application/json', '{"name":"light"}');
  expect(await readJson('/theme')).toMatchObject({ name: 'light' });
});

test('the control interface imports a singleton that is only read, and resets to its sample', async () => {
  await start();
  const sample = await readJson('/me');
  const body = JSON.stringify({ '/me': { name: 'Cy' } });
  const imported = await send('POST', '/__cloche/state/import', 'application/json', body);
  expect(imported.status).toBe(200);
  expect(await readJson('/me')).toEqual({ name: 'Cy' });
  expect(await mock.state.export()).toEqual({ '/me': [{ name: 'Cy' }] });
  await mock.reset();
  expect(await readJson('/me')).toEqual(sample);
});

test('data seeds one singleton below a path parameter; the others answer with the sample', async () => {
  await start({ data: { '/users/42/settings': { name: 'dark' } } });
  expect(await readJson('/users/42/settings')).toEqual({ name: 'dark' });
  expect((await fetch(`${url}/users/43/settings`)).headers.get('cloche-sample')).toBe('generated');
});

test.each<[string, JsonObject, string]>([
  [
    '/me',
    { age: 7 },
    'Failed to import "/me": /me, row 1: /name is required, but missing. Nothing was imported.',
  ],
  [
    '/version',
    {},
    'Failed to import "/version": /version cannot be filled: GET /version does not answer with a JSON object. Nothing',
  ],
  ['/my', {}, '/my is not a collection of this document (it has /theme, /files, /photos, /me,'],
  ['/avatar', { name: 'a' }, '/avatar, row 1: a file is { "contentType": "image/png", "base64": "…" }.'],
])('does not start with wrong data at %s', async (path, row, sentence) => {
  await start();
  await expect(createMock(contract, { data: { [path]: row } })).rejects.toThrow(sentence);
});

test('serves an upload again with its media type, until it is deleted', async () => {
  await start();
  const sample = await read('/avatar');
  expect((await send('PUT', '/avatar', 'image/gif')).status).toBe(204);
  expect(await read('/avatar')).toEqual([200, 'image/gif', Buffer.from(bytes)]);
  const head = await fetch(`${url}/avatar`, { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe('300');
  expect(head.headers.get('content-security-policy')).toBe('sandbox');
  await send('PUT', '/avatar', 'image/webp', 'W');
  // The document does not declare this type for the response.
  expect(await read('/avatar')).toEqual([200, 'image/png', Buffer.from('W')]);
  await remove('/avatar');
  expect(await read('/avatar')).toEqual(sample);
});

test('serves the bytes of a create at the paths of its item', async () => {
  await start();
  expect(await (await send('POST', '/photos', 'image/png')).json()).toMatchObject({ id: 1 });
  expect(await read('/photos/1')).toEqual([200, 'image/png', Buffer.from(bytes)]);
  expect((await read('/photos/2'))[2]).not.toEqual(Buffer.from(bytes));
  await remove('/photos/1');
  expect((await read('/photos/1'))[2]).not.toEqual(Buffer.from(bytes));
});

test('serves the content below an item, and removes it with the item', async () => {
  await start();
  expect((await send('PUT', '/files/1/content', 'image/png')).status).toBe(404);
  const { id: key } = (await (await send('POST', '/files', 'application/octet-stream')).json()) as {
    id: number;
  };
  expect(await read(`/files/${key}/content`)).toEqual([200, 'application/octet-stream', Buffer.from(bytes)]);
  await send('PUT', `/files/${key}/content`, 'text/x-note; charset=utf-8', 'note');
  expect(await read(`/files/${key}/content`)).toEqual([
    200,
    'text/x-note; charset=utf-8',
    Buffer.from('note'),
  ]);
  await remove(`/files/${key}`);
  expect((await read(`/files/${key}/content`))[2].toString()).not.toBe('note');
});

test('serves the file of a form', async () => {
  await start();
  const body = new FormData();
  body.set('name', 'a picture');
  body.set('file', new Blob([bytes], { type: 'image/png' }), 'a.png');
  expect((await send('POST', '/files', '', body)).status).toBe(201);
  expect(await read('/files/1/content')).toEqual([200, 'image/png', Buffer.from(bytes)]);
});

test('exports, imports and resets uploads', async () => {
  await start({ data: { '/avatar': { contentType: 'image/png', base64: 'AAEC' } } });
  expect(await read('/avatar')).toEqual([200, 'image/png', Buffer.from([0, 1, 2])]);
  await send('PUT', '/avatar', 'image/gif');
  const rows = await mock.state.export();
  await mock.reset();
  expect((await read('/avatar'))[2]).toEqual(Buffer.from([0, 1, 2]));
  await mock.state.import(rows);
  expect(await read('/avatar')).toEqual([200, 'image/gif', Buffer.from(bytes)]);
});

test('keeps uploads and data when the document changes', async () => {
  await start({ data: { '/me': { name: 'Ann' } } });
  await send('PUT', '/avatar', 'image/gif');
  await mock.change({ contract: { ...contract, title: 'changed' } });
  expect(await mock.state.snapshots()).toEqual([]);
  expect(await read('/avatar')).toEqual([200, 'image/gif', Buffer.from(bytes)]);
  expect(await readJson('/me')).toEqual({ name: 'Ann' });
});

test('does not change JSON resources, nor a GET of a file whose PUT is JSON', async () => {
  await start();
  const sample = await read('/report');
  expect((await send('PUT', '/report', 'application/json', '{"title":"x"}')).status).toBe(204);
  expect(await read('/report')).toEqual(sample);
  await remove('/report');
  expect(await read('/report')).toEqual(sample);
  const archive = await read('/photos');
  await send('POST', '/photos', 'image/png');
  expect(await read('/photos')).toEqual(archive);
  expect((await mock.state.list('/photos')).total).toBe(1);
  await send('POST', '/files', 'application/octet-stream');
  expect(await readJson('/files')).toEqual([{ id: 1 }]);
  expect(await readJson('/files/1')).toEqual({ id: 1 });
  expect((await mock.state.list('/files')).resources).toEqual([{ key: '1', value: { id: 1 } }]);
});
