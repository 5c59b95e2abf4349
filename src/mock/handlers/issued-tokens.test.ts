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
