import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { type MockClient, openMock } from '../../../fixtures/mock-client.ts';
import type { JsonObject } from '../../json/value.ts';

const text = { type: 'string' };
const answer = (schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  description: 'An answer.',
  content: { 'application/json': { schema } },
  ...more,
});

const paths = {
  '/login': {
    post: {
      responses: {
        200: answer({
          type: 'object',
          properties: { access_token: { ...text, example: 'issued-1' }, note: text },
        }),
      },
    },
  },
  '/session': {
    post: {
      responses: {
        200: answer(
          { type: 'object' },
          { headers: { 'Set-Cookie': { schema: { ...text, example: 'visit=issued-2; Path=/' } } } },
        ),
      },
    },
  },
  '/keys': {
    get: {
      security: [{ bearer: [] }],
      responses: { 200: answer({ type: 'object', properties: { token: { ...text, example: 'shown' } } }) },
    },
  },
  '/me': {
    get: { security: [{ bearer: [] }, { cookie: [] }], responses: { 200: answer({ type: 'object' }) } },
  },
};
const components = {
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'visit' },
  },
};

function open(): Promise<MockClient> {
  return openMock(contractOf({ paths, components }), { tokens: ['secret'] });
}
const secret = { authorization: 'Bearer secret' };

test('accepts a token that a login returned, and not before', async () => {
  const { get, post } = await open();
  const headers = { Authorization: 'Bearer issued-1' };
  expect((await get('/me', headers)).status).toBe(401);
  expect((await post('/login', undefined, secret)).status).toBe(200);
  expect([
    (await get('/me', headers)).status,
    (await get('/me', { Authorization: 'Bearer issued' })).status,
  ]).toEqual([200, 401]);
});

test('accepts a cookie that a login set', async () => {
  const { get, post } = await open();
  const headers = { Cookie: 'visit=issued-2' };
  expect((await get('/me', headers)).status).toBe(401);
  expect((await post('/session', undefined, secret)).status).toBe(200);
  expect((await get('/me', headers)).status).toBe(200);
});

test('does not accept what an operation shows that asks for credentials itself', async () => {
  const { get } = await open();
  expect((await get('/keys', secret)).status).toBe(200);
  expect((await get('/me', { Authorization: 'Bearer shown' })).status).toBe(401);
});

test.each<[string, JsonObject, string]>([
  ['declares none', {}, '/login'],
  ['declares a text', { headers: { 'Set-Cookie': { required: true, schema: text } } }, '/enter'],
  [
    'declares another',
    { headers: { 'Set-Cookie': { schema: { ...text, example: 'theme=dark' } } } },
    '/enter',
  ],
])('sets the required cookie at a login that %s', async (_, more, path) => {
  const login = { post: { responses: { 200: answer({ type: 'object' }, more) } } };
  const { get, post } = await openMock(contractOf({ paths: { ...paths, [path]: login }, components }), {
    tokens: ['secret'],
  });
  const cookie = (await post(path)).headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^visit=[0-9a-f]{32}; Path=\/; HttpOnly; SameSite=Lax$/u);
  expect((await get('/me', { cookie: cookie.split(';')[0] ?? '' })).status).toBe(200);
  expect((await get('/me', { cookie: 'visit=another' })).status).toBe(401);
});

test('lets a cookie expire after its Max-Age, by the clock of the mock', async () => {
  const header = { schema: { ...text, example: 'visit=short; Max-Age=60' } };
  const login = { post: { responses: { 204: { description: 'Done', headers: { 'Set-Cookie': header } } } } };
  const { get, post, mock } = await openMock(
    contractOf({ paths: { ...paths, '/enter': login }, components }),
    { tokens: ['secret'] },
  );
  await post('/enter');
  const me = async (): Promise<number> => (await get('/me', { cookie: 'visit=short' })).status;
  expect(await me()).toBe(200);
  mock.clock.advance(60_000);
  expect(await me()).toBe(401);
});
