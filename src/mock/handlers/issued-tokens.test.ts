import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import type { JsonObject } from '../../json/value.ts';
import { createMock } from '../create-mock.ts';

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

async function open(): Promise<{
  readonly ask: (method: string, path: string) => Promise<number>;
  readonly me: (headers: Record<string, string>) => Promise<number>;
}> {
  const mock = await createMock(contractOf({ paths, components }), { tokens: ['secret'] });
  const headers = { Authorization: 'Bearer secret' };
  return {
    ask: async (method, path) => (await mock.fetch(path, { method, headers })).status,
    me: async (own) => (await mock.fetch('/me', { headers: own })).status,
  };
}

test('accepts a token that a login returned, and not before', async () => {
  const { ask, me } = await open();
  const headers = { Authorization: 'Bearer issued-1' };
  expect(await me(headers)).toBe(401);
  expect(await ask('POST', '/login')).toBe(200);
  expect([await me(headers), await me({ Authorization: 'Bearer issued' })]).toEqual([200, 401]);
});

test('accepts a cookie that a login set', async () => {
  const { ask, me } = await open();
  const headers = { Cookie: 'visit=issued-2' };
  expect(await me(headers)).toBe(401);
  expect(await ask('POST', '/session')).toBe(200);
  expect(await me(headers)).toBe(200);
});

test('does not accept what an operation shows that asks for credentials itself', async () => {
  const { ask, me } = await open();
  expect(await ask('GET', '/keys')).toBe(200);
  expect(await me({ Authorization: 'Bearer shown' })).toBe(401);
});
