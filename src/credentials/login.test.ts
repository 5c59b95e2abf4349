import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { createGuardedService, guardedDocument } from '../../fixtures/credentials/guarded-service.ts';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';
import { validBodies } from '../../suites/valid-bodies.ts';
import type { JsonObject } from '../json/value.ts';
import { runSuites } from '../runner/run.ts';
import { openUrlTarget } from '../session/url-target.ts';
import { openCredentialSettings } from './open-credentials.ts';

const closer = createCloser();
afterEach(() => closer.closeAll());

const session = { type: 'object', properties: { token: { type: 'string' } } };
const user = {
  type: 'object',
  required: ['user', 'password'],
  properties: { user: { type: 'string' }, password: { type: 'string' } },
};
const login = {
  '/login': {
    post: {
      operationId: 'logIn',
      requestBody: { required: true, content: { 'application/json': { schema: user } } },
      responses: {
        200: { description: 'A session', content: { 'application/json': { schema: session } } },
        401: { description: 'No' },
      },
    },
  },
};
const body = { user: 'ci', password: 'the-password' };

/** A service that accepts the session of the last login, for some requests. */
async function startService(lifetime: number) {
  let logins = 0;
  let accepted = 0;
  const received: { body: string; tenant: string | undefined }[] = [];
  function logIn(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.url !== '/login') return false;
    void (async () => {
      let text = '';
      for await (const piece of request.setEncoding('utf8')) text += String(piece);
      // `as`: a client sends this field once.
      received.push({ body: text, tenant: request.headers['x-tenant'] as string | undefined });
      if (text !== JSON.stringify(body)) {
        response.writeHead(401).end();
        return;
      }
      logins += 1;
      const token = `session-${logins}`;
      const headers = {
        'content-type': 'application/json',
        'x-token': token,
        'set-cookie': [`sid=${token}; Path=/; HttpOnly`, 'other=1'],
      };
      response.writeHead(200, headers).end(JSON.stringify({ user: { token } }));
    })();
    return true;
  }
  const { server } = await createGuardedService(({ headers }) => {
    const sent = headers.authorization ?? headers.cookie ?? headers['x-api-key'];
    const isCurrent = [`Bearer session-${logins}`, `sid=session-${logins}`, `session-${logins}`].includes(
      String(sent),
    );
    accepted += isCurrent ? 1 : 0;
    return isCurrent && accepted % lifetime !== 0;
  }, logIn);
  return { baseUrl: `http://127.0.0.1:${await closer.listen(server)}`, received, logins: () => logins };
}

async function open(baseUrl: string, scheme: JsonObject, setting: JsonObject) {
  // `as`: the function builds a document.
  const contract = contractOf(guardedDocument('session', scheme, login) as Parameters<typeof contractOf>[0]);
  const configured = {
    value: { session: setting },
    pointer: '/credentials',
    folder: '.',
    toError: (problems: unknown) => new Error(JSON.stringify(problems)),
  };
  const opened = await openCredentialSettings({
    contract,
    baseUrl,
    connection: { timeoutMs: 5_000 },
    headers: [['X-Tenant', 'acme']],
    configured,
  });
  const secrets: string[] = [];
  opened.watchSecrets((value) => secrets.push(value));
  return { ...opened, contract, secrets };
}

const bearer = { type: 'http', scheme: 'bearer' };

test.each([
  ['$response.body#/user/token', bearer],
  ['$response.header.X-Token', { type: 'apiKey', in: 'header', name: 'X-Api-Key' }],
  ['$response.cookie.sid', { type: 'apiKey', in: 'cookie', name: 'sid' }],
])('a run logs in with %s, and again after a rejection', { timeout: 60_000 }, async (token, scheme) => {
  const { baseUrl, received, logins } = await startService(25);
  const {
    contract,
    provider: credentials,
    secrets,
  } = await open(baseUrl, scheme, { operation: 'logIn', body, token });
  const target = await openUrlTarget({ contract, baseUrl, credentials });
  const operations = { ...contract, operations: contract.operations.filter(({ id }) => id !== 'logIn') };
  const result = await runSuites(
    [validBodies],
    { ...target, contract: operations },
    { seed: 1, runs: 10, connections: 1 },
  );
  await target.close();
  expect(result.findings).toEqual([]);
  expect(received[0]).toEqual({ body: JSON.stringify(body), tenant: 'acme' });
  expect(logins()).toBeGreaterThan(1);
  expect(secrets.slice(0, 3)).toEqual(['the-password', 'session-1', 'session-2']);
});

test.each([
  [
    { user: 'ci', password: 'wrong' },
    '$response.body#/user/token',
    'the login for "session", POST /login, returns 401',
  ],
  [body, '$response.body#/nowhere', 'returns nothing at $response.body#/nowhere'],
  [body, '$response.cookie.nowhere', 'returns nothing at $response.cookie.nowhere'],
])('cannot judge a service whose login with %j returns nothing at %s', async (sent, token, reason) => {
  const { baseUrl } = await startService(1_000);
  const { provider } = await open(baseUrl, bearer, { operation: 'logIn', body: sent, token });
  const getting = provider?.get({ kind: 'bearer', name: 'session' });
  await expect(getting).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining(reason) });
});

test('cannot judge a service that the login does not reach', async () => {
  const setting = { operation: 'logIn', body, token: '$response.body#/token' };
  const { provider } = await open('http://127.0.0.1:1', bearer, setting);
  await expect(provider?.get({ kind: 'bearer', name: 'session' })).rejects.toMatchObject({ exitCode: 3 });
});
