import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { openMock } from '../../../fixtures/mock-client.ts';
import type { JsonObject } from '../../json/value.ts';

const integer = { type: 'integer' };
const tea = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: integer, name: { type: 'string' } },
};
const teas = (example?: JsonObject[]): JsonObject => {
  const list = { schema: { type: 'array', items: tea }, ...(example === undefined ? {} : { example }) };
  return {
    '/teas': { get: { responses: { 200: { description: 'All.', content: { 'application/json': list } } } } },
    '/teas/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: integer }],
      get: {
        responses: {
          200: { description: 'One.', content: { 'application/json': { schema: tea } } },
          404: { description: 'None.' },
        },
      },
    },
  };
};
const examples = [
  { id: 1, name: 'Assam' },
  { id: 2, name: 'Darjeeling' },
];

test('an item of a list that is only read is the one in its example', async () => {
  const { get } = await openMock(contractOf({ paths: teas(examples) }));
  expect((await get('/teas')).body).toEqual(examples);
  expect((await get('/teas/2')).body).toEqual(examples[1]);
  expect((await get('/teas/3')).status).toBe(404);
});

test('generated rows fill a list that is only read', async () => {
  const { get } = await openMock(contractOf({ paths: teas() }), { dataCount: 4 });
  // `as`: the response is a list of teas.
  const list = (await get('/teas')).body as { id: number }[];
  expect(list).toHaveLength(4);
  expect((await get(`/teas/${list[3]?.id}`)).body).toEqual(list[3]);
});

test('a list that nothing fills is answered with samples', async () => {
  for (const [paths, options] of [
    [teas(), {}],
    [teas([{ id: 1 }]), {}],
    [teas(examples), { data: 'none' }],
  ] as const) {
    const { get } = await openMock(contractOf({ paths }), options);
    const response = await get('/teas/7');
    expect([response.status, response.headers.get('cloche-sample')]).toEqual([200, 'generated']);
  }
});
