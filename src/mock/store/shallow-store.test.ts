import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { body, json, list, success } from '../../../fixtures/kinds-of.ts';
import { type MockClient, openMock } from '../../../fixtures/mock-client.ts';
import { storeLaws } from '../../../fixtures/store-laws.ts';
import type { JsonObject } from '../../json/value.ts';
import { createMemoryStore } from './memory-store.ts';
import { createShallowStore } from './shallow-store.ts';

const photo = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', readOnly: true }, caption: { type: 'string' } },
};
const titled = {
  type: 'object',
  properties: { id: { type: 'integer', readOnly: true }, title: { type: 'string' } },
};
const integerIn = (name: string): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'integer' },
});
const create = (schema: JsonObject): JsonObject => ({
  ...body(schema),
  responses: success(json(schema), '201'),
});
const document = {
  paths: {
    '/albums': { post: create(titled) },
    '/albums/{albumId}': {
      parameters: [integerIn('albumId')],
      get: { responses: { ...success(json(titled)), 404: { description: 'None.' } } },
    },
    '/albums/{albumId}/photos': {
      parameters: [integerIn('albumId')],
      get: { responses: success(list(photo)) },
      post: create(photo),
    },
    '/photos': { get: { responses: success(list(photo)) } },
    '/photos/{photoId}': {
      parameters: [integerIn('photoId')],
      get: { responses: { ...success(json(photo)), 404: { description: 'None.' } } },
      patch: { ...body(photo), responses: success(json(photo)) },
      delete: { responses: { 204: { description: 'Gone.' } } },
    },
    '/photos/{photoId}/tags': {
      parameters: [integerIn('photoId')],
      get: { responses: { ...success(list(titled)), 404: { description: 'None.' } } },
      post: create(titled),
    },
  },
};

async function send({ send: answer }: MockClient, line: string, sent?: unknown): Promise<[number, unknown]> {
  const { status, body } = await answer(line, sent);
  return [status, body];
}

/** A mock with photo 1 in album 1 and photo 2 in album 2. */
async function openAlbums(): Promise<MockClient> {
  const client = await openMock(contractOf(document));
  for (const album of [1, 2]) {
    await send(client, 'POST /albums', {});
    await send(client, `POST /albums/${album}/photos`, { caption: `of ${album}` });
  }
  return client;
}

test.each(storeLaws)('a store without shorter paths $title', async ({ prove }) => {
  const store = createShallowStore(createMemoryStore(), () => []);
  await expect(prove(store, store)).resolves.toBeUndefined();
});

test('the shorter path reads, changes, lists and deletes items of every parent', async () => {
  const client = await openAlbums();
  expect(await send(client, 'GET /photos/2')).toEqual([200, { id: 2, caption: 'of 2' }]);
  expect(await send(client, 'PATCH /photos/1', { caption: 'new' })).toEqual([200, { id: 1, caption: 'new' }]);
  expect(await send(client, 'GET /albums/1/photos')).toEqual([200, [{ id: 1, caption: 'new' }]]);
  expect((await send(client, 'GET /photos'))[1]).toHaveLength(2);
  expect((await send(client, 'DELETE /photos/2'))[0]).toBe(204);
  expect(await send(client, 'GET /albums/2/photos')).toEqual([200, []]);
  expect((await send(client, 'GET /photos/2'))[0]).toBe(404);
});

test('what lies below the shorter path needs an item there', async () => {
  const client = await openAlbums();
  expect((await send(client, 'POST /photos/2/tags', {}))[0]).toBe(201);
  expect((await send(client, 'GET /photos/3/tags'))[0]).toBe(404);
});

test('initial data and generated rows get ids that no other parent has', async () => {
  const data = {
    '/albums': [{}, {}],
    '/albums/1/photos': [{ caption: 'a' }],
    '/albums/2/photos': [{ caption: 'b' }],
  };
  const client = await openMock(contractOf(document), { data });
  expect(await send(client, 'GET /albums/2/photos')).toEqual([200, [{ id: 2, caption: 'b' }]]);
  expect((await send(client, 'POST /albums/1/photos', {}))[1]).toMatchObject({ id: 3 });
  const generated = await openMock(contractOf(document), { dataCount: 3 });
  // `as`: the response is a list of photos.
  const all = (await send(generated, 'GET /photos'))[1] as { id: number }[];
  expect(new Set(all.map(({ id }) => id)).size).toBe(9);
});
