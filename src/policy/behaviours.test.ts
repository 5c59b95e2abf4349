import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type MockClient, openMock, openPlantStore } from '../../fixtures/mock-client.ts';
import type { ClientHeaders, ClientResponse } from '../../fixtures/service-client.ts';
import type { BehaviourValues, RefusedCredentials } from './behaviour.ts';
import { createMock } from '../mock/create-mock.ts';
import type { Policy } from './policy.ts';
import type { MockOptions } from '../mock/mock.ts';

const library = fileURLToPath(new URL('../../fixtures/documents/two-creates.yaml', import.meta.url));

/** Opens the mock of the library, where readers have answers of their own. */
async function openWithOwn(
  own: Partial<BehaviourValues>,
  general: Partial<BehaviourValues> = {},
): Promise<MockClient['post']> {
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
  const post = await openWithOwn({ 'duplicate-key': 'conflict' }, { 'duplicate-key': 'keep-first' });
  expect(await both(post)).toEqual([201, 201]);
  expect(await both(post)).toEqual([201, 409]);
});

test('missing-credentials and invalid-credentials', async () => {
  const post = await openWithOwn({
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
  const post = await openWithOwn({ 'accepted-tokens': own }, { 'accepted-tokens': general });
  expect(await both(post, [book, reader], { authorization: 'Bearer other' })).toEqual(statuses);
});

test('auth-order', async () => {
  const post = await openWithOwn({ 'auth-order': 'after' });
  expect(await both(post, ['{', '{'], { authorization: '' })).toEqual([401, 400]);
});

test.each([
  [{ bytes: 40, status: 413 }, { bytes: 80, status: 400 }, [413, 201]],
  [{ bytes: 80, status: 400 }, { bytes: 40, status: 413 }, [201, 413]],
])('body-limit: %j, and %j for one', async (general, own, statuses) => {
  const post = await openWithOwn({ 'body-limit': own }, { 'body-limit': general });
  const pad = (body: unknown): string => JSON.stringify(body).padEnd(60);
  expect(await both(post, [pad(book), pad(reader)])).toEqual(statuses);
});

test('accept', async () => {
  const post = await openWithOwn({ accept: 406 });
  expect(await both(post, [book, reader], { accept: 'image/png' })).toEqual([201, 406]);
});

test('rate-limit counts the requests of its own operation', async () => {
  const post = await openWithOwn({ 'rate-limit': { perSecond: 1 } }, { 'rate-limit': { perSecond: 2 } });
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
  const post = await openWithOwn({
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
  const post = await openWithOwn({ echo: 'none', 'unique-properties': ['name'] });
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

type Post = (body: unknown, headers?: ClientHeaders) => Promise<ClientResponse>;

/** Opens a mock of the Plant Store with a policy, and returns a function that creates a plant. */
async function open(policy: Partial<Policy>, options: MockOptions = {}): Promise<Post> {
  const { post } = await openPlantStore({ ...options, policy });
  return (body, headers) => post('/plants', body, headers);
}

const fern = { id: 1, name: 'Fern' };
const moss = { id: 1, name: 'Moss' };
const anyError = (error: number): unknown => ({ error, message: expect.any(String) });

test.each([
  ['refuse', 400, anyError(400), null],
  ['conflict', 409, anyError(409), 'duplicate-key'],
  ['unprocessable', 422, anyError(422), 'duplicate-key'],
  ['replace', 200, { name: 'Moss' }, null],
  ['keep-first', 200, { name: 'Fern' }, null],
  ['accept', 200, { name: 'Moss' }, null],
] as const)('duplicate-key: %s', async (answer, status, body, undeclared) => {
  const post = await open({ 'duplicate-key': answer });
  await post(fern);
  expect(await post(moss)).toMatchObject({ status, body, undeclared });
});

test('duplicate-key: replace keeps the new one, and keep-first compares to the last digit', async () => {
  const post = await open({ 'duplicate-key': 'keep-first' });
  await post('{"id":9007199254740992,"name":"a"}');
  expect((await post('{"id":9007199254740993,"name":"b"}')).body).toEqual({ name: 'b' });
  expect((await post('{"id":9007199254740992.0,"name":"c"}')).body).toEqual({ name: 'a' });
});

test.each(['missing-credentials', 'invalid-credentials'] as const)(
  '%s: a status and a body',
  async (question) => {
    const headers =
      question === 'missing-credentials' ? { authorization: '' } : { authorization: 'Bearer no' };
    const ask = async (status: number, body: RefusedCredentials['body']): Promise<ClientResponse> =>
      (await open({ [question]: { status, body } }, { tokens: ['t'] }))(fern, headers);

    expect(await ask(403, 'error')).toMatchObject({ status: 403, body: anyError(403), undeclared: question });
    expect(await ask(404, 'empty')).toMatchObject({ status: 404, text: '', undeclared: question });
    const problem = await ask(401, 'problem');
    expect(problem).toMatchObject({ status: 401, body: { status: 401, detail: expect.any(String) } });
    expect(problem.headers.get('content-type')).toBe('application/problem+json');
    expect(problem.headers.get('www-authenticate')).toMatch(/^Bearer/u);
    const other = await ask(401, 'other');
    expect(other).toMatchObject({
      status: 401,
      body: expect.stringMatching(/^[^{]+\.$/u),
      undeclared: question,
    });
    expect(other.headers.get('content-type')).toBe('text/plain');
    // 400 is declared: its shape is the document's, and there is nothing to be marked.
    expect(await ask(400, 'empty')).toMatchObject({ status: 400, body: anyError(400), undeclared: null });
  },
);

test('accepted-tokens: any and listed', async () => {
  const other = { authorization: 'Bearer other' };
  expect((await (await open({ 'accepted-tokens': 'any' }, { tokens: ['t'] }))(fern, other)).status).toBe(200);
  expect((await (await open({ 'accepted-tokens': 'listed' }))(fern, other)).status).toBe(401);
  expect((await (await open({}, { tokens: ['other'] }))(fern, other)).status).toBe(200);
});

test('auth-order: before and after the body', async () => {
  const headers = { authorization: '' };
  expect((await (await open({ 'auth-order': 'before' }))('{', headers)).status).toBe(401);
  const after = await open({ 'auth-order': 'after' });
  expect((await after('{', headers)).status).toBe(400);
  expect((await after(fern, headers)).status).toBe(401);
  expect((await after(fern)).status).toBe(200);
});

test('error-codes: a number for each condition, the status for the others', async () => {
  const post = await open({ 'error-codes': { 'malformed-body': 1001, 'duplicate-key': 1003 } });
  expect(await post('{')).toMatchObject({ status: 400, body: anyError(1001) });
  expect(await post({})).toMatchObject({ status: 400, body: anyError(400) });
  await post(fern);
  expect(await post(moss)).toMatchObject({ status: 400, body: anyError(1003) });
});

test('unsupported-media-type: 400, 415 and read', async () => {
  const headers = { 'content-type': 'text/plain' };
  expect(await (await open({ 'unsupported-media-type': 400 }))(fern, headers)).toMatchObject({
    status: 400,
    undeclared: null,
  });
  const undeclared = 'unsupported-media-type';
  expect(await (await open({ [undeclared]: 415 }))(fern, headers)).toMatchObject({
    status: 415,
    body: anyError(415),
    undeclared,
  });
  const post = await open({ 'unsupported-media-type': 'read' });
  expect(await post(fern, headers)).toMatchObject({ status: 200 });
  expect(await post('a', headers)).toMatchObject({ status: 400 });
});

test('body-limit: bytes and the status past them', async () => {
  const post = await open({ 'body-limit': { bytes: 30, status: 413 } });
  expect(await post(fern)).toMatchObject({ status: 200 });
  const long = { id: 2, name: 'a'.repeat(30) };
  expect(await post(long)).toMatchObject({ status: 413, body: anyError(413), undeclared: 'body-limit' });
  expect(await (await open({ 'body-limit': { bytes: 30, status: 400 } }))(long)).toMatchObject({
    status: 400,
    undeclared: null,
  });
});

test('constraints: a schema for each property', async () => {
  const post = await open({ constraints: { name: { maxLength: 3 } } });
  expect(await post({ id: 1, name: 'abc' })).toMatchObject({ status: 200 });
  const message = 'The body is not valid: /name must have at most 3 characters, but has 4.';
  expect(await post(fern)).toMatchObject({ status: 400, body: { error: 400, message } });
});

test('unique-properties: none, or a list', async () => {
  const twin = { id: 2, name: 'Fern' };
  const free = await open({});
  await free(fern);
  expect((await free(twin)).status).toBe(200);
  const post = await open({ 'unique-properties': ['name', 'tag'] });
  await post(fern);
  const message = 'The value of "name" is taken: another resource has it, and it must be unique.';
  expect(await post(twin)).toMatchObject({ status: 400, body: { error: 400, message } });
  expect((await post({ id: 2, name: 'Other' })).status).toBe(200);
});

test('undeclared-properties: ignore, refuse and store', async () => {
  const more = { ...fern, height: 3, ['__proto__']: 1 };
  expect(await (await open({ 'undeclared-properties': 'ignore' }))(more)).toMatchObject({
    status: 200,
    body: { name: 'Fern' },
  });
  const message = 'The body has the property "height", which is not declared.';
  expect(await (await open({ 'undeclared-properties': 'refuse' }))(more)).toMatchObject({
    status: 400,
    body: { message },
  });
  const stored = await (await open({ 'undeclared-properties': 'store' }))({ ...fern, height: 3 });
  expect(stored).toMatchObject({ status: 200 });
  expect(stored.body).toEqual({ name: 'Fern', height: 3 });
});

test('int64-range: refuse and accept', async () => {
  const body = '{"id":9223372036854775808,"name":"a"}';
  expect((await (await open({ 'int64-range': 'refuse' }))(body)).status).toBe(400);
  const post = await open({ 'int64-range': 'accept' });
  expect((await post(body)).status).toBe(200);
  expect((await post('{"id":9223372036854775809,"name":"a"}')).status).toBe(200);
});

test('integer-notation: yes and no', async () => {
  const bodies = ['{"id":1.0,"name":"a"}', '{"id":1e2,"name":"a"}'];
  const yes = await open({ 'integer-notation': 'yes' });
  const no = await open({ 'integer-notation': 'no' });
  for (const body of bodies) {
    expect((await yes(body)).status).toBe(200);
    expect((await no(body)).status).toBe(400);
  }
  expect((await no(fern)).status).toBe(200);
});

test('duplicate-keys-in-json: last, first and refuse', async () => {
  const body = '{"id":1,"name":"first","name":"last"}';
  expect((await (await open({ 'duplicate-keys-in-json': 'last' }))(body)).body).toEqual({ name: 'last' });
  expect((await (await open({ 'duplicate-keys-in-json': 'first' }))(body)).body).toEqual({ name: 'first' });
  const refusing = await open({ 'duplicate-keys-in-json': 'refuse' });
  expect(await refusing(body)).toMatchObject({
    status: 400,
    body: { message: 'The body has the key /name twice.' },
  });
  expect((await refusing(fern)).status).toBe(200);
});

test('echo: exact, and none with a sample', async () => {
  expect((await (await open({ echo: 'exact' }))(fern)).body).toEqual({ name: 'Fern' });
  expect(await (await open({ echo: 'none' }))(fern)).toMatchObject({ status: 200, body: { name: 'text' } });
});

test('response-extras: none and the key', async () => {
  expect((await (await open({ 'response-extras': 'none' }))(fern)).body).toEqual({ name: 'Fern' });
  expect((await (await open({ 'response-extras': 'id' }))(fern)).body).toEqual({ name: 'Fern', id: 1 });
});

test('accept: ignore and 406', async () => {
  const headers = { accept: 'text/html' };
  expect((await (await open({ accept: 'ignore' }))(fern, headers)).status).toBe(200);
  const post = await open({ accept: 406 });
  expect(await post(fern, headers)).toMatchObject({
    status: 406,
    body: anyError(406),
    undeclared: 'accept',
  });
  expect((await post(fern, { accept: 'application/*' })).status).toBe(200);
});

test('other-operations: statuses', async () => {
  const { get, post } = await openPlantStore({ policy: { 'other-operations': { method: 501, path: 403 } } });
  const method = await get('/plants');
  expect(method).toMatchObject({ status: 501, undeclared: 'other-operations' });
  expect(method.headers.has('allow')).toBe(false);
  expect(await post('/other')).toMatchObject({ status: 403, body: anyError(403) });
});

test('rate-limit: none, and 429 with Retry-After', async () => {
  const post = await open({ 'rate-limit': { perSecond: 1 } }, { clock: () => 0 });
  expect((await post(fern)).status).toBe(200);
  const refused = await post(moss);
  expect(refused).toMatchObject({ status: 429, body: anyError(429), undeclared: 'rate-limit' });
  expect(refused.headers.get('retry-after')).toBe('1');
});
