import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { openMock } from '../../../fixtures/mock-client.ts';
import type { JsonObject } from '../../json/value.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const shown = (schema: JsonObject, examples: JsonObject = {}): JsonObject => ({
  description: 'An answer.',
  content: { 'application/json': { schema, examples } },
});

async function read(paths: JsonObject, path: string): Promise<unknown> {
  return (await (await openMock(contractOf({ paths }))).get(path)).body;
}

const fare = { type: 'object', properties: { cents: integer } };
const fares = {
  '/fares': {
    get: {
      parameters: [
        {
          name: 'zone',
          in: 'query',
          schema: integer,
          examples: { harbour: { value: 1 }, islands: { value: 4 } },
        },
        { name: 'child', in: 'query', schema: { type: 'boolean' }, examples: { harbour: { value: true } } },
      ],
      responses: {
        200: shown(fare, { harbour: { value: { cents: 250 } }, islands: { value: { cents: 900 } } }),
      },
    },
  },
};

test.each([
  ['/fares?zone=4', 900],
  ['/fares?zone=1', 250],
  ['/fares?zone=1&child=true', 250],
  // Nothing is named like it, so that the first example is shown.
  ['/fares?zone=7', 250],
  ['/fares', 250],
])('%s shows the example that is named like that of its parameter', async (path, cents) => {
  expect(await read(fares, path)).toEqual({ cents });
});

test('shows the example that is named like that of the body', async () => {
  const voucher = { type: 'object', properties: { voucher: text } };
  const paths = {
    '/voucher-check': {
      post: {
        requestBody: {
          content: {
            'application/json': {
              schema: voucher,
              examples: { valid: { value: { voucher: 'SPRING' } }, late: { value: { voucher: 'WINTER' } } },
            },
          },
        },
        responses: {
          200: shown(
            { type: 'object' },
            { valid: { value: { is: 'valid' } }, late: { value: { is: 'late' } } },
          ),
        },
      },
    },
  };
  const { post } = await openMock(contractOf({ paths }));
  expect((await post('/voucher-check', { voucher: 'WINTER' })).body).toEqual({ is: 'late' });
});

const map = { type: 'object', required: ['id'], properties: { id: text, title: text } };
const maps = (examples: JsonObject): JsonObject => ({
  '/maps/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
    get: { responses: { 200: shown(map, examples) } },
  },
});

test('shows the example of the item that the path names', async () => {
  const examples = {
    alps: { value: { id: '123', title: 'The Alps' } },
    coast: { value: { id: '42', title: 'The coast' } },
  };
  expect(await read(maps(examples), '/maps/42')).toEqual({ id: '42', title: 'The coast' });
  expect(await read(maps(examples), '/maps/123')).toEqual({ id: '123', title: 'The Alps' });
});

test('shows the id that the path names in a generated item', async () => {
  expect(await read(maps({}), '/maps/a%20b')).toMatchObject({ id: 'a b' });
});
