import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { openMock } from '../../../fixtures/mock-client.ts';
import type { JsonObject } from '../../json/value.ts';

const text: JsonObject = { type: 'string' };
const note: JsonObject = { type: 'object', properties: { id: { ...text, readOnly: true }, text } };
const content: JsonObject = { 'application/json': { schema: note } };
const requestBody: JsonObject = { content };
const shown = (status: number, more: JsonObject = {}): { readonly responses: JsonObject } => ({
  responses: { [status]: { description: 'It.', content, ...more } },
});
const inPath = (...names: readonly string[]): JsonObject => ({
  parameters: names.map((name) => ({ name, in: 'path', required: true, schema: text })),
});

/** Where the last of some requests leads, and what is read there. */
async function follow(
  paths: JsonObject,
  ...targets: readonly string[]
): Promise<{ place: string | null; status: number }> {
  const { get, send } = await openMock(contractOf({ paths, servers: [{ url: '/v1' }] }));
  let place: string | null = null;
  for (const each of targets) {
    place = (await send(each, { text: 'a' })).headers.get('location');
  }
  return { place, status: place === null ? 0 : (await get(place)).status };
}

const uuid = '00000000-0000-4000-8000-000000000001';
const plain = { content: { 'application/json': { schema: { type: 'object', properties: { text } } } } };
const read = { ...inPath('id'), get: shown(200) };

test.each([
  [
    'a collection',
    { '/notes': { post: { requestBody, ...shown(201) } }, '/notes/{id}': read },
    `/notes/${uuid}`,
  ],
  [
    'a path that ends in a slash',
    { '/notes/': { post: { requestBody, ...shown(201) } }, '/notes/{id}/': read },
    `/notes/${uuid}/`,
  ],
  [
    'a path with a reserved character',
    {
      '/users/@me/notes': { post: { requestBody, ...shown(201) } },
      '/users/@me/notes/{id}': read,
    },
    `/users/@me/notes/${uuid}`,
  ],
  [
    'an item that its path alone names, with a number',
    {
      '/notes': {
        post: { requestBody: plain, responses: { 201: { description: 'It.', content: plain.content } } },
      },
      '/notes/{number}': {
        parameters: [{ name: 'number', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { responses: { 200: { description: 'It.', content: plain.content } } },
      },
    },
    '/notes/1',
  ],
  [
    'a path with an extension',
    { '/notes': { post: { requestBody, ...shown(201) } }, '/notes/{id}.json': read },
    `/notes/${uuid}.json`,
  ],
  [
    'a create that declares no success',
    { '/notes': { post: { requestBody, responses: {} } }, '/notes/{id}': read },
    `/notes/${uuid}`,
  ],
])('Location leads to what was created, also where it is not declared: %s', async (_, paths, place) => {
  const [path = ''] = Object.keys(paths);
  expect(await follow(paths, `POST ${path}`)).toEqual({ place, status: 200 });
  expect(await follow(paths, `POST /v1${path}`)).toEqual({ place: `/v1${place}`, status: 200 });
});

test('Location of what lies in another item leads there', async () => {
  const paths = {
    '/shops': { post: { requestBody, ...shown(201) } },
    '/shops/{shopId}': { ...inPath('shopId'), get: shown(200) },
    '/shops/{shop}/notes': { ...inPath('shop'), post: { requestBody, ...shown(201) } },
    '/shops/{shopId}/notes/{id}': { ...inPath('shopId', 'id'), get: shown(200) },
  };
  const place = `/shops/${uuid}/notes/${uuid}`;
  expect(await follow(paths, 'POST /shops', `POST /shops/${uuid}/notes`)).toEqual({ place, status: 200 });
});

test('a PUT that creates says where, and one that replaces does not', async () => {
  const put = { requestBody, responses: { ...shown(200).responses, ...shown(201).responses } };
  const paths = { '/notes/{id}': { ...read, put } };
  expect(await follow(paths, 'PUT /v1/notes/a%20b')).toEqual({ place: '/v1/notes/a%20b', status: 200 });
  expect(await follow(paths, 'PUT /notes/tea', 'PUT /notes/tea')).toEqual({ place: null, status: 0 });
});

test('a PUT that creates gives a whole URL where Location takes nothing else', async () => {
  const Location = { schema: { type: 'string', format: 'uri' } };
  const paths = {
    '/notes/{id}': { ...read, put: { requestBody, ...shown(201, { headers: { Location } }) } },
  };
  expect((await follow(paths, 'PUT /notes/tea')).place).toBe('http://localhost/notes/tea');
});

test('Location is left out where items have no path, and where nothing says that they are new', async () => {
  const create = (status: number): JsonObject => ({ post: { requestBody, ...shown(status) } });
  expect((await follow({ '/notes': create(201) }, 'POST /notes')).place).toBeNull();
  expect((await follow({ '/notes': create(200), '/notes/{id}': read }, 'POST /notes')).place).toBeNull();
});

test('a create whose response shows the id alone, in an example, shows that of its item', async () => {
  const shownId = { 'application/json': { example: { data: { id: 'n-1' }, status: 'done' } } };
  const post = { requestBody, responses: { 201: { description: 'It.', content: shownId } } };
  const client = await openMock(contractOf({ paths: { '/notes': { post }, '/notes/{id}': read } }));
  const { body } = await client.post('/notes', { text: 'a' });
  expect(body).toEqual({ data: { id: uuid }, status: 'done' });
});
