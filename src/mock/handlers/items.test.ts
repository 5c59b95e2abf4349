import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type MockClient, openMock } from '../../../fixtures/mock-client.ts';
import type { ClientResponse } from '../../../fixtures/service-client.ts';

const baskets = fileURLToPath(new URL('../../../fixtures/documents/baskets.yaml', import.meta.url));

/** Sends a patch of the first basket. */
function patch(
  { send }: MockClient,
  type: 'json-patch' | 'merge-patch',
  body: unknown,
): Promise<ClientResponse> {
  return send('PATCH /baskets/1', body, { 'content-type': `application/${type}+json` });
}

const item = { name: 'a'.repeat(200_000), map: { text: 'b'.repeat(700_000) } };
const patches = [
  ['json-patch', [{ op: 'add', path: '/map/more', value: 'x'.repeat(600_000) }]],
  ['json-patch', [{ op: 'copy', from: '/name', path: '/map/more' }]],
  ['merge-patch', { map: { more: 'x'.repeat(600_000) } }],
] as const;

test.each(patches)(
  'refuses a %s document that makes an item longer than a body may be',
  async (type, body) => {
    const client = await openMock(baskets, { data: { '/baskets': [item] } });
    const answer = await patch(client, type, body);
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('1,048,576')]);
    const kept = await client.get('/baskets/1');
    expect(kept.body).toEqual({ id: 1, ...item });
  },
);

test('changes an item that is longer than a body may be, as long as it does not grow', async () => {
  const client = await openMock(baskets, {
    data: { '/baskets': [{ name: 'a'.repeat(2_000_000), price: 1 }] },
  });
  expect((await patch(client, 'merge-patch', { price: 2 })).status).toBe(200);
  expect((await patch(client, 'merge-patch', { price: 20 })).status).toBe(422);
});

test('refuses a patch that moves the items of a long list again and again', async () => {
  const list = Array.from({ length: 300_000 }, () => 0);
  const client = await openMock(baskets, { data: { '/baskets': [{ list }] } });
  const remove = { op: 'remove', path: '/list/0' };
  const many = await patch(
    client,
    'json-patch',
    Array.from({ length: 25_000 }, () => remove),
  );
  expect([many.status, many.text]).toEqual([422, expect.stringContaining('copies or moves more')]);
  const some = await patch(
    client,
    'json-patch',
    Array.from({ length: 100 }, () => remove),
  );
  expect(some.body).toHaveProperty('list.length', 299_900);
});
