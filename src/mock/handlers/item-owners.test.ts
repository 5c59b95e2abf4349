import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { type MockClient, openMock } from '../../../fixtures/mock-client.ts';
import type { MockOptions } from '../mock.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-owners-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const document = fileURLToPath(new URL('../../../fixtures/documents/notes.yaml', import.meta.url));
const ada = { authorization: 'Bearer token-of-ada' };
const bob = { authorization: 'Bearer token-of-bob' };
const fern = { text: 'Fern' };

/** Opens a mock with a note of Ada, /notes/1, and one of Bob, /notes/2. */
async function openNotes(
  value: 'visible' | 'hidden' | 'forbidden',
  { policy, ...options }: MockOptions = {},
): Promise<MockClient> {
  const client = await openMock(document, { ...options, policy: { 'items-of-others': value, ...policy } });
  await client.post('/notes', fern, ada);
  await client.post('/notes', fern, bob);
  return client;
}

const idsIn = (body: unknown): readonly unknown[] =>
  Array.isArray(body) ? body.map((each: { readonly id: unknown }) => each.id) : [];

test.each([
  ['visible', [200, 200, 200, 200, 201, 204], [1, 2]],
  ['hidden', [404, 404, 404, 404, 404, 404], [2]],
  ['forbidden', [403, 403, 403, 403, 403, 403], [2]],
] as const)('answers a second user as "%s" says', async (value, statuses, listed) => {
  const { get, send } = await openNotes(value);
  const patch = { 'content-type': 'application/merge-patch+json', ...bob };
  expect(idsIn((await get('/notes', bob)).body)).toEqual(listed);
  const answers = [
    await get('/notes/1', bob),
    await send('PUT /notes/1', fern, bob),
    await send('PATCH /notes/1', fern, patch),
    await get('/notes/1/comments', bob),
    await send('POST /notes/1/comments', fern, bob),
    await send('DELETE /notes/1', undefined, bob),
  ];
  expect(answers.map(({ status }) => status)).toEqual(statuses);
  expect((await get('/notes/1', ada)).status).toBe(value === 'visible' ? 404 : 200);
});

test('answers a hidden item like a missing one', async () => {
  const { get } = await openNotes('hidden');
  const [hidden, missing] = [await get('/notes/1', bob), await get('/notes/9', bob)];
  expect(hidden.text.replace('1', '9')).toBe(missing.text);
});

test('keeps the owner of an item that is changed, in any spelling of the scheme', async () => {
  const { get, send } = await openNotes('hidden');
  const spelled = { authorization: 'bearer  token-of-ada' };
  expect((await send('PUT /notes/1', { text: 'Moss' }, spelled)).status).toBe(200);
  expect((await get('/notes/1', ada)).body).toEqual({ id: 1, text: 'Moss' });
  expect((await get('/notes/1', bob)).status).toBe(404);
});

test('cuts lists of the own items into pages', async () => {
  const { get, post } = await openNotes('hidden');
  for (const user of [ada, bob, bob]) await post('/notes', fern, user);
  expect(idsIn((await get('/notes?limit=2', bob)).body)).toEqual([2, 4]);
  expect(idsIn((await get('/notes?limit=5', ada)).body)).toEqual([1, 3]);
});

test('shows seed data to everybody', async () => {
  const { get, send } = await openNotes('forbidden', { data: { '/notes': [{ id: 7, text: 'Seed' }] } });
  expect((await get('/notes/7', bob)).status).toBe(200);
  expect((await send('PUT /notes/7', fern, bob)).status).toBe(200);
  expect((await get('/notes/7', ada)).status).toBe(200);
});

test('keeps owners over a restart and in snapshots, and not their credentials', async () => {
  const file = join(folder, 'notes.db');
  const first = await openNotes('hidden', { store: `file:${file}` });
  await first.mock.close();
  const { get, mock, send } = await openMock(document, {
    policy: { 'items-of-others': 'hidden' },
    store: `file:${file}`,
  });
  await mock.state.save('before');
  await send('DELETE /notes/1', undefined, ada);
  await mock.state.restore('before');
  expect((await get('/notes/1', ada)).status).toBe(200);
  expect((await get('/notes/1', bob)).status).toBe(404);
  expect(readFileSync(file, 'latin1')).not.toContain('token-of-ada');
});

test('takes the value of the operation that reads an item for all of its operations', async () => {
  const policy = { operations: { getNote: { 'items-of-others': 'hidden' } } } as const;
  const { get, post } = await openMock(document, { policy });
  await post('/notes', fern, ada);
  expect((await get('/notes/1', bob)).status).toBe(404);
  expect((await get('/notes', bob)).body).toEqual([]);
});
