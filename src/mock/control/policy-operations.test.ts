import { expect, test } from 'vitest';
import { askControl } from '../../../fixtures/ask-control.ts';
import { create, open, read } from '../../../fixtures/plant-store-control.ts';
import { createMock } from '../create-mock.ts';
import { mergePolicyChange } from './policy-operations.ts';

const given = {
  'duplicate-key': 'conflict',
  echo: 'none',
  operations: { createOrder: { 'duplicate-key': 'refuse', accept: 406 }, createCart: { accept: 406 } },
} as const;

test('keeps what the change does not name', () => {
  expect(mergePolicyChange(given, {})).toEqual(given);
  expect(mergePolicyChange(given, { answers: { accept: null } })).toEqual(given);
});

test('takes an answer up, and the one of each operation with it', () => {
  expect(mergePolicyChange(given, { answers: { 'duplicate-key': 'replace' } })).toEqual({
    'duplicate-key': 'replace',
    echo: 'none',
    operations: { createOrder: { accept: 406 }, createCart: { accept: 406 } },
  });
});

test('takes an answer back', () => {
  expect(mergePolicyChange(given, { answers: { echo: null } })).toEqual({
    'duplicate-key': 'conflict',
    operations: given.operations,
  });
});

test('changes the answers of one operation', () => {
  const change = { operations: { createOrder: { accept: null, echo: 'exact' }, createCart: null } } as const;
  expect(mergePolicyChange(given, change)).toEqual({
    'duplicate-key': 'conflict',
    echo: 'none',
    operations: { createOrder: { 'duplicate-key': 'refuse', echo: 'exact' } },
  });
});

test('leaves no operation without an answer', () => {
  const change = { operations: { createCart: { accept: null }, createOrder: null } } as const;
  expect(mergePolicyChange(given, change).operations).toEqual({});
});

test('changes an answer of the policy, and takes it back', async () => {
  const mock = await open({ policy: { 'duplicate-key': 'conflict' } });
  await create(mock, '{"id":1,"name":"Basil"}');
  const again = async (): Promise<number> => (await create(mock, '{"id":1,"name":"Basil"}')).status;
  const decided = async (): Promise<unknown> => {
    // `as`: what the document says of it.
    const { answers } = (await read(mock, 'GET /policy')) as { answers: { id: string; decidedBy: string }[] };
    return answers.find(({ id }) => id === 'duplicate-key')?.decidedBy;
  };
  expect([await again(), await decided()]).toEqual([409, 'policy']);
  await askControl(mock, 'PATCH /policy', '{"answers":{"duplicate-key":"unprocessable"}}');
  expect(await again()).toBe(422);
  await askControl(mock, 'PATCH /policy', '{"answers":{"duplicate-key":null}}');
  expect([await again(), await decided()]).toEqual([400, 'default']);
  await askControl(mock, 'DELETE /policy');
  expect(await again()).toBe(409);
});

test('loses no answer of several that change at one time', async () => {
  const mock = await open();
  const changes = { 'duplicate-key': 'conflict', echo: 'none', 'undeclared-properties': 'refuse' };
  await Promise.all(
    Object.entries(changes).map(([id, answer]) =>
      askControl(mock, 'PATCH /policy', JSON.stringify({ answers: { [id]: answer } })),
    ),
  );
  expect(mock.policy).toMatchObject(changes);
});

test('takes credentials from a list where there is one', async () => {
  const mock = await open({ tokens: ['secret'], policy: { 'accepted-tokens': 'any' } });
  const change = '{"answers":{"accepted-tokens":"listed"}}';
  expect((await askControl(mock, 'PATCH /policy', change)).status).toBe(200);
  expect((await create(mock, '{"id":1,"name":"Basil"}')).status).toBe(401);
});

test('says which answers the document gives itself', async () => {
  const mock = await open();
  expect(await read(mock, 'GET /policy')).toMatchObject({
    answers: expect.arrayContaining([
      expect.objectContaining({
        id: 'duplicate-key',
        answer: 'refuse',
        choices: expect.arrayContaining([{ answer: 'conflict', label: '409 with an error body' }]),
      }),
    ]),
  });
  const declaring = await createMock({
    source: 'orders.yaml',
    version: '3.1',
    openapi: '3.1.0',
    locate: () => undefined,
    root: {
      openapi: '3.1.0',
      info: { title: 'Orders', version: '1' },
      'x-cloche-policy': { 'other-operations': { method: 403, path: 410 } },
      paths: {
        '/orders': {
          post: {
            'x-cloche-policy': { 'duplicate-key': 'replace' },
            requestBody: {
              content: {
                'application/json': {
                  schema: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
                },
              },
            },
            responses: { '201': { description: 'Created' } },
          },
        },
      },
    },
  });
  expect(await read(declaring, 'GET /policy')).toMatchObject({
    answers: expect.arrayContaining([
      expect.objectContaining({
        id: 'duplicate-key',
        answer: 'replace',
        decidedBy: 'document',
        places: [
          {
            pointer: '/paths/~1orders/post/x-cloche-policy/duplicate-key',
            says: 'x-cloche-policy says "replace"',
          },
        ],
      }),
      expect.objectContaining({
        id: 'other-operations',
        decidedBy: 'document',
        places: [expect.objectContaining({ pointer: '/x-cloche-policy/other-operations' })],
      }),
      expect.objectContaining({ id: 'auth-order', decidedBy: 'default', places: [] }),
    ]),
  });
});
