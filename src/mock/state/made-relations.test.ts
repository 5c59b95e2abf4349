import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import type { JsonObject } from '../../json/value.ts';
import { createMock } from '../create-mock.ts';
import type { Mock, MockOptions } from '../mock.ts';

const integer: JsonObject = { type: 'integer' };
const text: JsonObject = { type: 'string' };
const id: JsonObject = { ...integer, readOnly: true };
const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });

/** A collection whose items have these properties, all of them required of a create but for the last. */
function collection(
  path: string,
  parameter: string,
  properties: JsonObject,
  optional: JsonObject = {},
): JsonObject {
  const schema = {
    type: 'object',
    required: Object.keys(properties),
    properties: { id, ...properties, ...optional },
  };
  const missing = { 404: { description: 'None.' } };
  return {
    [path]: {
      post: {
        requestBody: { required: true, ...json(schema) },
        responses: { 201: { description: 'New.', ...json(schema) }, ...missing },
      },
    },
    [`${path}/{${parameter}}`]: {
      parameters: [{ name: parameter, in: 'path', required: true, schema: integer }],
      get: { responses: { 200: { description: 'It.', ...json(schema) }, ...missing } },
    },
  };
}

function start(paths: JsonObject, options: MockOptions): Promise<Mock> {
  return createMock(contractOf({ paths }), options);
}

async function valuesOf(mock: Mock, path: string, property: string): Promise<readonly unknown[]> {
  return ((await mock.state.export())[path] ?? []).map((row) => row[property]);
}

const owners = collection('/owners', 'ownerId', { name: text });
const pets = collection(
  '/pets',
  'petId',
  { name: text, ownerId: integer },
  { friendIds: { type: 'array', items: integer } },
);

test('made-up rows point at items that are there, in turn', async () => {
  const data = {
    '/owners': [
      { id: 70, name: 'a' },
      { id: 90, name: 'b' },
    ],
  };
  const mock = await start({ ...pets, ...owners }, { data, dataCount: 4, seed: 2 });
  expect(await valuesOf(mock, '/pets', 'ownerId')).toEqual([70, 90, 70, 90]);
});

test('rows that were given stay as they are', async () => {
  const data = { '/pets': [{ name: 'Rex', ownerId: 12 }] };
  const mock = await start({ ...pets, ...owners }, { data, dataCount: 2 });
  expect(await valuesOf(mock, '/pets', 'ownerId')).toEqual([12]);
});

test('a row points at the item above it, and else at those below the same one', async () => {
  const shops = collection('/shops', 'shopId', { name: text });
  const racks = collection('/shops/{shopId}/racks', 'rackId', { name: text });
  const goods = collection('/shops/{shopId}/goods', 'goodId', {
    name: text,
    rackId: integer,
    shopId: integer,
  });
  const data = {
    '/shops': [
      { id: 5, name: 'a' },
      { id: 6, name: 'b' },
    ],
    '/shops/6/racks': [{ id: 31, name: 'c' }],
  };
  const mock = await start({ ...shops, ...racks, ...goods }, { data, dataCount: 2 });
  expect(await valuesOf(mock, '/shops/6/goods', 'shopId')).toEqual([6, 6]);
  expect(await valuesOf(mock, '/shops/6/goods', 'rackId')).toEqual([31, 31]);
  expect(await valuesOf(mock, '/shops/5/goods', 'shopId')).toEqual([5, 5]);
});

test('a row shows the id of the item above it where clients do not send that', async () => {
  const shops = collection('/shops', 'shopId', { name: text });
  const goods = collection('/shops/{shopId}/goods', 'goodId', { shopId: { ...integer, readOnly: true } });
  const data = { '/shops': [{ id: 6, name: 'a' }] };
  const mock = await start({ ...shops, ...goods }, { data, dataCount: 2 });
  expect(await valuesOf(mock, '/shops/6/goods', 'shopId')).toEqual([6, 6]);
});

test('an item points at those of its own resource that come before it, and the first at none', async () => {
  const notes = collection('/notes', 'note', { text }, { parentNoteId: integer });
  const mock = await start(notes, { dataCount: 3 });
  expect(await valuesOf(mock, '/notes', 'parentNoteId')).toEqual([undefined, 1, 2]);
});

test('what points at nothing is left out where it may be', async () => {
  const toys = collection('/toys', 'toyId', { name: text }, { ownerId: integer });
  const mock = await start({ ...toys, ...owners }, { data: { '/owners': [] }, dataCount: 1 });
  expect(await valuesOf(mock, '/toys', 'ownerId')).toEqual([undefined]);
});
