import { expect, test } from 'vitest';
import { createMockClient } from '../../fixtures/mock-client.ts';
import { createMock } from './create-mock.ts';

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
const shown = {
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
  responses: { 201: answer(shown), 400: answer(message) },
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
    '/songs/{id}': { parameters: [id], get: { responses: { 200: answer(shown), 404: answer(message) } } },
    '/notes': {
      post: post({
        'application/x-www-form-urlencoded': {
          schema: { ...song, required: ['title'], properties: texts },
        },
      }),
    },
    '/notes/{id}': { parameters: [id], get: { responses: { 200: answer(shown), 404: answer(message) } } },
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
