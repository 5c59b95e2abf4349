import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { createMockClient, openMock, openPlantStore, plantStore } from '../../fixtures/mock-client.ts';
import type { ClientResponse } from '../../fixtures/service-client.ts';
import { createMock } from './create-mock.ts';
import type { RequestLogEntry } from './log/log-line.ts';

const tokens = ['t0ken'];
const good = { authorization: 'Bearer t0ken', 'content-type': 'application/json' };

test('answers a create with the plant, without its id', async () => {
  const client = await openPlantStore({ tokens });
  const { status, text, headers } = await client.post('/plants', '{"id":1,"name":"Fern","tag":"shade"}');
  expect({ status, text }).toEqual({ status: 200, text: '{"name":"Fern","tag":"shade"}' });
  expect(headers.get('content-type')).toBe('application/json');
  expect((await client.post('/plants', '{"id":2,"name":"Moss"}')).text).toBe('{"name":"Moss"}');
});

test('forgets what was created on reset', async () => {
  const client = await openPlantStore({ tokens });
  await client.post('/plants', '{"id":1,"name":"Fern"}');
  await client.mock.reset();
  expect((await client.post('/plants', '{"id":1,"name":"Fern"}')).status).toBe(200);
});

test('leaves no trace of what it refused', async () => {
  const client = await openPlantStore({ tokens });
  await client.post('/plants', '{"id":1}');
  await client.post('/plants', '{"id":1,"name":"a"}', { authorization: 'Bearer other' });
  expect((await client.post('/plants', '{"id":1,"name":"a"}')).status).toBe(200);
});

test.each([
  [{}, 'Bearer', 'missing-credentials'],
  [{ authorization: 'Basic dTpw' }, 'Bearer', 'missing-credentials'],
  [{ authorization: 's3cret' }, 'Bearer', 'missing-credentials'],
  [{ authorization: 'Bearer' }, 'Bearer', 'missing-credentials'],
  [{ authorization: 'Bearer s3cret' }, 'Bearer error="invalid_token"', 'invalid-credentials'],
])(
  'answers 401 for %j, challenges with %s, and marks it as undeclared',
  async (headers, challenge, condition) => {
    const { mock } = await openPlantStore({ tokens });
    const answer = await createMockClient(mock).post('/plants', '{"id":1,"name":"a"}', headers);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
    expect(answer.undeclared).toBe(condition);
    expect(answer.body).toEqual({
      error: 401,
      message: expect.stringContaining('Authorization'),
    });
    expect(answer.text).not.toContain('s3cret');
  },
);

test('accepts any token where none are listed', async () => {
  const client = await openPlantStore();
  expect(
    (await client.post('/plants', '{"id":1,"name":"a"}', { authorization: 'Bearer anything' })).status,
  ).toBe(200);
  expect(client.mock.policy['accepted-tokens']).toBe('any');
});

test('answers 404 for another path and 405 with Allow for another method', async () => {
  const client = await openPlantStore({ tokens });
  const missing = await client.get('/nothing/here?x=1');
  expect(missing.status).toBe(404);
  expect(missing.undeclared).toBe('other-operations');
  expect(missing.body).toEqual({
    error: 404,
    message:
      'There is nothing at /nothing/here: the contract has no such path. The contract has POST /plants.',
  });
  const method = await client.get('/plants');
  expect(method.status).toBe(405);
  expect(method.headers.get('allow')).toBe('POST, OPTIONS');
  expect(method.body).toEqual({
    error: 405,
    message: 'GET is not declared for /plants: it takes POST.',
  });
  const options = await client.send('OPTIONS /plants');
  expect(options).toMatchObject({ status: 204, text: '' });
  expect(options.headers.get('allow')).toBe('POST, OPTIONS');
});

test('leads from a root that the document does not have to the inspector', async () => {
  const client = await openPlantStore({ tokens });
  const ask = (accept: string): Promise<ClientResponse> =>
    client.get('/', { accept, host: 'localhost:4010' });
  const json = await ask('*/*');
  expect([json.status, json.body]).toEqual([
    404,
    { error: 404, message: expect.stringContaining('Its inspector is at http://localhost:4010/__cloche/.') },
  ]);
  const page = await ask('text/html,application/xhtml+xml;q=0.9,*/*;q=0.8');
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.text).toContain('<a href="http://localhost:4010/__cloche/">');
  expect(page.text).toContain('<a href="http://localhost:4010/__cloche/docs">');
  expect((await client.get('/else')).text).not.toContain('inspector');
});

test('answers HEAD without content', async () => {
  const answer = await (await openPlantStore({ tokens })).send('HEAD /plants');
  expect(answer).toMatchObject({ status: 405, text: '' });
});

test('answers HEAD as it answers GET, but for the content', async () => {
  const content = { 'text/plain': { schema: { const: 'Grüße' } } };
  const get = { responses: { 200: { description: 'A text', content } } };
  const { mock } = await openMock(contractOf({ paths: { '/greeting': { get } } }));
  const [whole, head] = [await mock.fetch('/greeting'), await mock.fetch('/greeting', { method: 'HEAD' })];
  expect([...head.headers]).toEqual([...whole.headers]);
  expect(head.headers.get('content-length')).toBe('7');
  expect([whole.status, head.status, await head.text()]).toEqual([200, 200, '']);
  expect(mock.requests.list().map(({ method, operation }) => `${method} ${operation}`)).toEqual([
    'GET GET /greeting',
    'HEAD GET /greeting',
  ]);
  const refused = await mock.fetch('/greeting', { method: 'POST' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test('tells the log of each request, without its credentials', async () => {
  const entries: RequestLogEntry[] = [];
  const client = await openPlantStore({ tokens, log: (entry) => entries.push(entry) });
  await client.post('/plants', '{"id":1,"name":"a"}');
  await client.post('/plants', '{"id":1,"name":"a"}');
  await client.post('/plants', '{}', { authorization: 'Bearer s3cret' });
  await client.get('/elsewhere');
  expect(entries).toMatchObject([
    { method: 'POST', target: '/plants', status: 200, operation: 'createPlant' },
    {
      status: 400,
      operation: 'createPlant',
      condition: 'duplicate-key',
      message: '/id 1 is taken: a resource with it exists already.',
    },
    { status: 401, condition: 'invalid-credentials', undeclared: 'invalid-credentials' },
    {
      method: 'GET',
      target: '/elsewhere',
      status: 404,
      condition: 'unknown-path',
      undeclared: 'other-operations',
    },
  ]);
  expect(entries.every(({ durationMs, time }) => durationMs >= 0 && time > 0)).toBe(true);
  expect(JSON.stringify(entries)).not.toMatch(/s3cret|t0ken/u);
});

test('sends the same bytes through send as through fetch', async () => {
  const { mock } = await openPlantStore({ tokens });
  const body = new TextEncoder().encode('{"id":1,"name":"\u00e4"}');
  const request = { method: 'POST', target: '/plants', headers: Object.entries(good), body };
  const answer = await mock.send(request);
  expect(answer).toEqual({
    kind: 'response',
    response: {
      status: 200,
      headers: [
        ['Content-Type', 'application/json'],
        ['Content-Length', '13'],
      ],
      body: new TextEncoder().encode('{"name":"\u00e4"}'),
    },
  });
  expect(
    await mock.send({ ...request, headers: [...request.headers, ['Authorization', 'Bearer t0ken']] }),
  ).toMatchObject({ response: { status: 401 } });
  expect(await mock.send(request, { signal: AbortSignal.abort() })).toMatchObject({ kind: 'timed-out' });
});

test('fetches from a URL, a Request and a path alike', async () => {
  const { mock } = await openPlantStore({ tokens });
  const init = { method: 'POST', headers: good, body: '{"id":1,"name":"a"}' };
  expect((await mock.fetch(new URL('http://any.where/plants'), init)).status).toBe(200);
  expect((await mock.fetch(new Request('http://any.where/plants', init))).status).toBe(400);
  expect((await mock.fetch('http://any.where/plants', init)).status).toBe(400);
});

test('takes a contract as well as a path', async () => {
  const { contract } = (await openPlantStore()).mock;
  expect((await createMock(contract)).contract).toBe(contract);
});

test('refuses a policy for a question that there is not', async () => {
  // @ts-expect-error: what a user without types may write
  const made = createMock(plantStore, { policy: { 'duplicate-keys': 'conflict' } });
  await expect(made).rejects.toMatchObject({ code: 'POLICY_INVALID', subject: 'duplicate-keys' });
});

test.each(['', ' a', 'a\n'])('refuses %j for a token, without repeating it', async (token) => {
  const made = createMock(plantStore, { tokens: ['good', token] });
  await expect(made).rejects.toMatchObject({ code: 'OPTION_INVALID', subject: 'tokens[1]' });
});
