import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock.ts';

const baskets = fileURLToPath(new URL('../../../fixtures/documents/baskets.yaml', import.meta.url));

/** Sends a patch of the first basket. */
function patch(mock: Mock, type: 'json-patch' | 'merge-patch', body: unknown): Promise<Response> {
  const headers = { 'Content-Type': `application/${type}+json` };
  return mock.fetch('/baskets/1', { method: 'PATCH', headers, body: JSON.stringify(body) });
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
    const mock = await createMock(baskets, { data: { '/baskets': [item] } });
    const answer = await patch(mock, type, body);
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('1,048,576')]);
    const kept = await mock.fetch('/baskets/1');
    expect(await kept.json()).toEqual({ id: 1, ...item });
  },
);

test('changes an item that is longer than a body may be, as long as it does not grow', async () => {
  const mock = await createMock(baskets, {
    data: { '/baskets': [{ name: 'a'.repeat(2_000_000), price: 1 }] },
  });
  expect((await patch(mock, 'merge-patch', { price: 2 })).status).toBe(200);
  expect((await patch(mock, 'merge-patch', { price: 20 })).status).toBe(422);
});

test('refuses a patch that moves the items of a long list again and again', async () => {
  const list = Array.from({ length: 300_000 }, () => 0);
  const mock = await createMock(baskets, { data: { '/baskets': [{ list }] } });
  const remove = { op: 'remove', path: '/list/0' };
  const many = await patch(
    mock,
    'json-patch',
    Array.from({ length: 25_000 }, () => remove),
  );
  expect([many.status, await many.text()]).toEqual([422, expect.stringContaining('copies or moves more')]);
  const some = await patch(
    mock,
    'json-patch',
    Array.from({ length: 100 }, () => remove),
  );
  expect(await some.json()).toHaveProperty('list.length', 299_900);
});
