import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type MockClient, openMock } from '../../fixtures/mock-client.ts';
import type { ClientHeaders } from '../../fixtures/service-client.ts';
import type { Answers } from '../policy/question.ts';
import { createMock } from './create-mock.ts';

const library = fileURLToPath(new URL('../../fixtures/documents/two-creates.yaml', import.meta.url));

/** Opens the mock of the library, where readers have answers of their own. */
async function open(own: Partial<Answers>, general: Partial<Answers> = {}): Promise<MockClient['post']> {
  const policy = { ...general, operations: { addReader: own } };
  const options = { policy, tokens: ['t'], clock: () => 0 };
  return (await openMock(library, options, { authorization: 'Bearer t' })).post;
}

const book = { id: 1, title: 'Fern' };
const reader = { id: 1, name: 'Ada' };

/** What a book and a reader are answered, in this order. */
async function both(
  post: MockClient['post'],
  [first, second]: readonly [unknown, unknown] = [book, reader],
  headers?: ClientHeaders,
): Promise<readonly number[]> {
  const answers = [await post('/books', first, headers), await post('/readers', second, headers)];
  return answers.map(({ status }) => status);
}

test('duplicate-key', async () => {
  const post = await open({ 'duplicate-key': 'conflict' }, { 'duplicate-key': 'keep-first' });
  expect(await both(post)).toEqual([201, 201]);
  expect(await both(post)).toEqual([201, 409]);
});

test('missing-credentials and invalid-credentials', async () => {
  const post = await open({
    'missing-credentials': { status: 403, body: 'empty' },
    'invalid-credentials': { status: 404, body: 'error' },
  });
  expect(await both(post, [book, reader], { authorization: '' })).toEqual([401, 403]);
  expect(await both(post, [book, reader], { authorization: 'Bearer other' })).toEqual([401, 404]);
});

test.each([
  ['any', 'listed', [201, 401]],
  ['listed', 'any', [401, 201]],
] as const)('accepted-tokens: %s, and %s for one', async (general, own, statuses) => {
  const post = await open({ 'accepted-tokens': own }, { 'accepted-tokens': general });
  expect(await both(post, [book, reader], { authorization: 'Bearer other' })).toEqual(statuses);
});

test('auth-order', async () => {
  const post = await open({ 'auth-order': 'after' });
  expect(await both(post, ['{', '{'], { authorization: '' })).toEqual([401, 400]);
});

test.each([
  [{ bytes: 40, status: 413 }, { bytes: 80, status: 400 }, [413, 201]],
  [{ bytes: 80, status: 400 }, { bytes: 40, status: 413 }, [201, 413]],
])('body-limit: %j, and %j for one', async (general, own, statuses) => {
  const post = await open({ 'body-limit': own }, { 'body-limit': general });
  const pad = (body: unknown): string => JSON.stringify(body).padEnd(60);
  expect(await both(post, [pad(book), pad(reader)])).toEqual(statuses);
});

test('accept', async () => {
  const post = await open({ accept: 406 });
  expect(await both(post, [book, reader], { accept: 'image/png' })).toEqual([201, 406]);
});

test('rate-limit counts the requests of its own operation', async () => {
  const post = await open({ 'rate-limit': { perSecond: 1 } }, { 'rate-limit': { perSecond: 2 } });
  const bodies = (id: number) =>
    [
      { ...book, id },
      { ...reader, id },
    ] as const;
  expect(await both(post, bodies(1))).toEqual([201, 201]);
  expect(await both(post, bodies(2))).toEqual([201, 429]);
  expect(await both(post, bodies(3))).toEqual([429, 429]);
});

test('what of a body is looked at', async () => {
  const post = await open({
    'unsupported-media-type': 415,
    'integer-notation': 'no',
    'undeclared-properties': 'refuse',
    'duplicate-keys-in-json': 'refuse',
    constraints: { name: { maxLength: 3 } },
    'error-codes': { 'invalid-body': 7 },
  });
  const extra = { ...book, arena: 1 };
  expect(await both(post, [book, reader], { 'content-type': 'text/plain' })).toEqual([400, 415]);
  expect(await both(post, ['{"id":1.0,"title":"a"}', '{"id":1.0,"name":"a"}'])).toEqual([201, 400]);
  expect(
    await both(post, [
      { ...extra, id: 2 },
      { ...reader, arena: 1 },
    ]),
  ).toEqual([201, 400]);
  expect(await both(post, ['{"id":3,"id":4,"title":"a"}', '{"id":3,"id":4,"name":"a"}'])).toEqual([201, 400]);
  const long = await post('/readers', { id: 5, name: 'Grace' });
  expect([long.status, long.body]).toMatchObject([400, { error: 7 }]);
});

test('echo, response-extras and unique-properties', async () => {
  const post = await open({ echo: 'none', 'unique-properties': ['name'] });
  expect(await both(post)).toEqual([201, 201]);
  expect(
    await both(post, [
      { ...book, id: 2 },
      { ...reader, id: 2 },
    ]),
  ).toEqual([201, 400]);
  expect((await post('/readers', { id: 3, name: 'Alan' })).text).not.toContain('Alan');
  expect((await post('/books', { id: 3, title: 'Moss' })).text).toContain('Moss');
});

test('an operation that there is not is refused with the one that was meant', async () => {
  const policy = { operations: { addReadr: { echo: 'none' } } } as const;
  await expect(createMock(library, { policy })).rejects.toThrow(
    'Failed to read the policy at "operations.addReadr": the document has no operation "addReadr". Perhaps "addReader" was meant.',
  );
});

test('an answer that there is not is refused with the one that was meant', async () => {
  // `as`: what a program without types may give.
  const policy = { 'duplicate-key': 'conflct' as 'conflict' };
  await expect(createMock(library, { policy })).rejects.toThrow(
    'Failed to read the policy at "duplicate-key": "conflct" is no answer to this question. Perhaps "conflict" was meant.',
  );
});
