import { expect, test } from 'vitest';
import { body, item, json, kindsOf, list, success } from '../../fixtures/kinds-of.ts';
import type { JsonObject } from '../json/value.ts';

const photo = {
  type: 'object',
  properties: { id: { type: 'integer', readOnly: true }, caption: { type: 'string' } },
};
const create = (schema: JsonObject): JsonObject => ({
  ...body(schema),
  responses: success(json(schema), '201'),
});
const titled = { type: 'object', properties: { id: { type: 'integer' }, title: { type: 'string' } } };
const album = { '/albums': { post: create(titled) }, ...item('/albums/{albumId}', titled) };
const below = (schema: JsonObject): JsonObject => ({
  get: { responses: success(list(schema)) },
  post: create(schema),
});
const photos = { '/albums/{albumId}/photos': below(photo) };
const atShortPath = (schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  get: { responses: success(json(schema)) },
  put: { ...body(schema), responses: success(json(schema)) },
  ...more,
});
const collectionOf = (paths: Record<string, JsonObject>, operation: string): string | undefined => {
  const kind = kindsOf(paths)[operation];
  return kind === undefined || kind.kind === 'sample' ? undefined : kind.resource.collection;
};

test('items that are created below a parent are read at the shorter path with the same schema', () => {
  const paths = { ...album, ...photos, '/photos/{photoId}': atShortPath(photo) };
  expect(kindsOf(paths)['GET /photos/{photoId}']).toMatchObject({
    kind: 'read',
    resource: { collection: '/albums/{albumId}/photos', parent: '/albums', shallow: '/photos' },
  });
  expect(kindsOf(paths)['PUT /photos/{photoId}']).toMatchObject({ kind: 'replace', creates: false });
});

test('both paths may lie below the same item, and the document may name the shorter path first', () => {
  const paths = {
    '/repos/{repo}/issues/comments/{id}': atShortPath(photo),
    '/repos/{repo}/issues/{number}/comments': below(photo),
  };
  expect(collectionOf(paths, 'GET /repos/{repo}/issues/comments/{id}')).toBe(
    '/repos/{repo}/issues/{number}/comments',
  );
});

test('another schema, another create and a second parent keep two collections apart', () => {
  const role = { type: 'object', properties: { id: { type: 'integer' }, rights: { type: 'string' } } };
  const assigned = { '/users/{userId}/photos': below({ ...role, required: ['rights'] }) };
  for (const paths of [
    { ...album, ...assigned, '/photos/{photoId}': atShortPath(photo) },
    { ...album, ...photos, '/photos': { post: create(photo) }, '/photos/{photoId}': atShortPath(photo) },
    { ...album, ...photos, '/shops/{shop}/photos': below(photo), '/photos/{photoId}': atShortPath(photo) },
  ]) {
    expect(collectionOf(paths, 'GET /photos/{photoId}')).toBe('/photos');
  }
});

test('one name in x-cloche-resource makes one collection of two paths', () => {
  const named = { 'x-cloche-resource': { name: 'picture' } };
  const paths = {
    ...album,
    '/albums/{albumId}/photos': { post: { ...create(photo), ...named } },
    '/pictures/{pictureId}': { get: { responses: success(json(titled)), ...named } },
  };
  expect(collectionOf(paths, 'GET /pictures/{pictureId}')).toBe('/albums/{albumId}/photos');
});
