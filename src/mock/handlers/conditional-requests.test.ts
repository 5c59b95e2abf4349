import { beforeEach, expect, test } from 'vitest';
import { type MockClient, openMock } from '../../../fixtures/mock-client.ts';

let client: MockClient;
beforeEach(async () => {
  client = await openMock('fixtures/documents/etags.yaml');
  client.mock.clock.freeze(true);
  client.mock.clock.set(Date.parse('2026-03-01T00:00:00Z'));
});

interface Answer {
  readonly status: number;
  readonly tag: string;
  readonly body: unknown;
}

/** Sends a request; all but the body are header fields. */
async function ask(
  method: string,
  path: string,
  { body, ...fields }: { readonly body?: unknown; readonly [field: string]: unknown } = {},
): Promise<Answer> {
  const values = Object.entries(fields).map(([name, value]) => [name, String(value)]);
  const type = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
  const answer = await client.send(`${method} ${path}`, body, { ...Object.fromEntries(values), ...type });
  return { status: answer.status, tag: answer.headers.get('etag') ?? '', body: answer.body };
}

const tea = { title: 'Tea' };

test('an answer with an item has its ETag, which is another one after each change', async () => {
  const created = await ask('POST', '/articles', { body: tea });
  expect(created).toMatchObject({ status: 201, tag: expect.stringMatching(/^"[\da-f]{16}"$/u) });
  expect((await ask('GET', '/articles/1')).tag).toBe(created.tag);
  const replaced = await ask('PUT', '/articles/1', { body: { title: 'Milk' }, 'If-Match': created.tag });
  expect(replaced.status).toBe(200);
  const updated = await ask('PATCH', '/articles/1', { body: { words: 7 }, 'If-Match': replaced.tag });
  expect(updated.status).toBe(200);
  expect(new Set([created.tag, replaced.tag, updated.tag]).size).toBe(3);
  expect((await ask('GET', '/articles/1')).tag).toBe(updated.tag);
});

test('a change of what has changed meanwhile is refused', async () => {
  const { tag } = await ask('POST', '/articles', { body: tea });
  await ask('PATCH', '/articles/1', { body: { words: 7 }, 'If-Match': tag });
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const body = method === 'DELETE' ? undefined : tea;
    expect(await ask(method, '/articles/1', { body, 'If-Match': tag })).toMatchObject({
      status: 412,
      body: { detail: expect.stringContaining('does not match') },
    });
  }
  expect(await ask('GET', '/articles/1')).toMatchObject({ body: { words: 7, version: 2 } });
});

test.each([
  ['*', 200],
  ['"other", TAG', 200],
  [', TAG ,', 200],
  ['W/TAG', 412],
  ['"other"', 412],
  ['""', 412],
  ['other', 412],
  ['"half', 412],
  ['TAG other', 412],
])('If-Match: %s is answered with %d', async (field, status) => {
  const { tag } = await ask('POST', '/articles', { body: tea });
  const answer = await ask('PATCH', '/articles/1', { body: tea, 'If-Match': field.replace('TAG', tag) });
  expect(answer.status).toBe(status);
});

test('a change without If-Match is refused where the document says so, and one of nothing is not found', async () => {
  await ask('POST', '/articles', { body: tea });
  expect(await ask('PUT', '/articles/1', { body: tea })).toMatchObject({ status: 428 });
  expect(await ask('DELETE', '/articles/1')).toMatchObject({ status: 428 });
  expect(await ask('DELETE', '/articles/9', { 'If-Match': '*' })).toMatchObject({ status: 404 });
});

test('what the client has already is not sent again', async () => {
  const { tag } = await ask('POST', '/articles', { body: tea });
  for (const field of [tag, `W/${tag}`, '*', `"other",${tag}`]) {
    const answer = await ask('GET', '/articles/1', { 'If-None-Match': field });
    expect(answer).toEqual({ status: 304, tag, body: undefined });
  }
  for (const field of ['"other"', '', 'nonsense']) {
    expect(await ask('GET', '/articles/1', { 'If-None-Match': field })).toMatchObject({ status: 200 });
  }
  expect(
    await ask('PATCH', '/articles/1', { body: tea, 'If-Match': '*', 'If-None-Match': tag }),
  ).toMatchObject({ status: 412 });
});

test('of many changes under one ETag, one is made', async () => {
  const { tag } = await ask('POST', '/articles', { body: tea });
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, words) =>
      ask('PATCH', '/articles/1', { body: { words }, 'If-Match': tag }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200).length).toBe(1);
  expect(answers.filter(({ status }) => status === 412).length).toBe(19);
});

test('the service makes times and versions, by the clock of the mock, and clients have no say in them', async () => {
  const made = { version: 1, createdAt: '2026-03-01T00:00:00.000Z', updatedAt: 1_772_323_200 };
  const body = { ...tea, version: 9, createdAt: '2000-01-01T00:00:00Z', updatedAt: 1 };
  expect(await ask('POST', '/articles', { body })).toMatchObject({ body: { ...tea, ...made } });
  client.mock.clock.advance(5000);
  expect(await ask('GET', '/articles/1')).toMatchObject({ body: made });
  const updated = await ask('PATCH', '/articles/1', { body: { words: 7, version: 9 }, 'If-Match': '*' });
  expect(updated).toMatchObject({ body: { ...made, words: 7, version: 2, updatedAt: made.updatedAt + 5 } });
  client.mock.clock.advance(5000);
  const replaced = await ask('PUT', '/articles/1', { body, 'If-Match': '*' });
  expect(replaced.body).toEqual({
    id: 1,
    ...tea,
    section: 'news',
    ...made,
    version: 3,
    updatedAt: made.updatedAt + 10,
  });
  expect(await ask('GET', '/articles/1')).toMatchObject({ body: replaced.body });
  expect(await ask('GET', '/articles')).toMatchObject({ body: [replaced.body] });
});
