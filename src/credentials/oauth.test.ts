import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { createGuardedService, guardedDocument } from '../../fixtures/credentials/guarded-service.ts';
import { describeFindings } from '../../fixtures/describe-findings.ts';
import { startProvider } from '../../fixtures/credentials/start-provider.js';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';
import { credentials as credentialSuite } from '../../suites/credentials.ts';
import { validBodies } from '../../suites/valid-bodies.ts';
import type { JsonObject } from '../json/value.ts';
import { runSuites } from '../runner/run.ts';
import { openUrlTarget } from '../session/url-target.ts';
import { openCredentialSettings } from './open-credentials.ts';

const closer = createCloser();
afterEach(() => closer.closeAll());

const client = { clientId: 'ci', clientSecret: 'the-client-secret' };
const oauth2 = (tokenUrl: string): JsonObject => ({
  type: 'oauth2',
  flows: { clientCredentials: { tokenUrl, scopes: { orders: 'orders' } } },
});

/** Opens the credentials of a service whose document has one scheme. */
async function open(scheme: JsonObject, setting: JsonObject, baseUrl = 'http://127.0.0.1:1') {
  // `as`: the function builds a document.
  const contract = contractOf(guardedDocument('oauth', scheme) as Parameters<typeof contractOf>[0]);
  const configured = {
    value: { oauth: setting },
    pointer: '/credentials',
    folder: '.',
    toError: (problems: unknown) => new Error(JSON.stringify(problems)),
  };
  const opened = await openCredentialSettings({
    contract,
    baseUrl,
    connection: { timeoutMs: 5_000 },
    configured,
  });
  const secrets: string[] = [];
  opened.watchSecrets((value) => secrets.push(value));
  const get = () => opened.provider?.get({ kind: 'bearer', name: 'oauth' });
  return { ...opened, contract, secrets, get };
}

const bearerOf = ({ headers }: IncomingMessage): string =>
  /^Bearer +(.*)$/iu.exec(headers.authorization ?? '')?.[1] ?? '';

async function listen(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await closer.listen(createServer(listener))}`;
}

/** Answers a GET for metadata, and any other request with a token. */
const answer =
  (metadata: (origin: string) => JsonObject): RequestListener =>
  ({ method, headers }, response) => {
    const body =
      method === 'GET'
        ? metadata(`http://${headers.host}`)
        : { access_token: 'issued-token', token_type: 'Bearer' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

test.each(['basic', 'post'] as const)(
  'a run gets tokens by client credentials (%s), and new ones after a rejection',
  { timeout: 60_000 },
  async (method) => {
    const provider = await startProvider(closer, { method });
    let accepted = 0;
    const { server } = await createGuardedService(async (request) => {
      if (!(await provider.isActive(bearerOf(request)))) return false;
      accepted += 1;
      if (accepted === 20) await provider.revoke(bearerOf(request));
      return true;
    });
    const baseUrl = `http://127.0.0.1:${await closer.listen(server)}`;
    const setting = {
      ...client,
      clientAuthentication: method,
      scopes: ['orders'],
      tokenUrl: `${provider.issuer}/token`,
    };
    const {
      contract,
      provider: credentials,
      secrets,
    } = await open(oauth2('https://elsewhere.example.com'), setting, baseUrl);
    const target = await openUrlTarget({ contract, baseUrl, credentials });
    const result = await runSuites([validBodies, credentialSuite], target, { seed: 1, runs: 5 });
    await target.close();
    expect(describeFindings(result, ['violation', 'warning'])).toEqual([]);
    expect(provider.granted).toEqual([`client_credentials ${method}`, `client_credentials ${method}`]);
    // The client secret, and two tokens.
    expect(secrets).toHaveLength(3);
    expect(await provider.isActive(secrets[2] ?? '')).toBe(true);
  },
);

test('a run that rejects each token ends after two of them', { timeout: 60_000 }, async () => {
  const provider = await startProvider(closer);
  const { server } = await createGuardedService(() => false);
  const baseUrl = `http://127.0.0.1:${await closer.listen(server)}`;
  const setting = { ...client, tokenUrl: `${provider.issuer}/token` };
  const { contract, provider: credentials } = await open(oauth2('/token'), setting, baseUrl);
  const target = await openUrlTarget({ contract, baseUrl, credentials });
  await expect(runSuites([validBodies], target, { seed: 1 })).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining('it rejected the credentials of oauth with 401'),
  });
  await target.close();
  expect(provider.granted).toHaveLength(2);
});

test.each(['', '/.well-known/openid-configuration'])(
  'finds the token endpoint by the configured discovery address %s',
  { timeout: 60_000 },
  async (path) => {
    const provider = await startProvider(closer);
    const scheme = { type: 'openIdConnect', openIdConnectUrl: 'https://elsewhere.example.com' };
    const { get } = await open(scheme, { ...client, discovery: `${provider.issuer}${path}` });
    expect(await provider.isActive((await get()) ?? '')).toBe(true);
  },
);

test('uses each refresh token once, and hides all of them', { timeout: 60_000 }, async () => {
  const provider = await startProvider(closer);
  const refreshToken = await provider.createRefreshToken();
  const setting = { ...client, refreshToken, tokenUrl: `${provider.issuer}/token` };
  const { get, secrets, provider: credentials } = await open(oauth2('/token'), setting);
  const first = await get();
  expect(credentials?.reject(['oauth'])).toBe(true);
  const second = await get();
  expect(provider.granted).toEqual(['refresh_token basic', 'refresh_token basic']);
  expect(await provider.isActive(second ?? '')).toBe(true);
  expect(secrets).toEqual([
    client.clientSecret,
    refreshToken,
    first,
    expect.any(String),
    second,
    expect.any(String),
  ]);
  expect(new Set(secrets).size).toBe(6);
});

test('uses the addresses of the document if they have the origin of the service', async () => {
  const baseUrl = await listen(answer((origin) => ({ issuer: origin, token_endpoint: `${origin}/token` })));
  const discovered = {
    type: 'openIdConnect',
    openIdConnectUrl: `${baseUrl}/.well-known/openid-configuration`,
  };
  for (const scheme of [oauth2(`${baseUrl}/token`), oauth2('token'), discovered]) {
    expect(await (await open(scheme, client, baseUrl)).get()).toBe('issued-token');
  }
});

test.each([
  [
    oauth2('https://login.example.com/token'),
    'https://api.example.com/v1',
    'the configuration does not name https://login.example.com/token, and the origin of the service is https://api.example.com',
    'tokenUrl: https://login.example.com/token',
  ],
  [
    { type: 'openIdConnect', openIdConnectUrl: 'https://login.example.com/.well-known/openid-configuration' },
    'https://api.example.com',
    'the configuration does not name https://login.example.com/.well-known/openid-configuration',
    'discovery: https://login.example.com/.well-known/openid-configuration',
  ],
  [
    oauth2('http://api.example.com/token'),
    'http://api.example.com',
    'its secret would go to http://api.example.com/token without encryption',
    'tokenUrl: http://api.example.com/token',
  ],
  [
    { type: 'oauth2', flows: {} },
    'http://127.0.0.1:1',
    'neither the configuration nor the document names a token endpoint',
    'tokenUrl: https://…',
  ],
])(
  'sends no secret to an address that only the document names: %j',
  async (scheme, baseUrl, reason, line) => {
    const { get } = await open(scheme, client, baseUrl);
    await expect(get()).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(reason) });
    await expect(get()).rejects.toThrow(`to the configuration, below "oauth" in "credentials": ${line}.`);
  },
);

test('sends no secret to an address that only the metadata of an issuer names', async () => {
  const received: (string | undefined)[] = [];
  const elsewhere = await listen(({ url }) => void received.push(url));
  const baseUrl = await listen(
    answer((origin) => ({ issuer: origin, token_endpoint: `${elsewhere}/token` })),
  );
  const scheme = { type: 'openIdConnect', openIdConnectUrl: baseUrl };
  for (const setting of [client, { ...client, discovery: baseUrl }]) {
    const { get } = await open(scheme, setting, baseUrl);
    await expect(get()).rejects.toThrow(`tokenUrl: ${elsewhere}/token`);
  }
  expect(received).toEqual([]);
});

test('names the error of the authorization server, without the secret', { timeout: 60_000 }, async () => {
  const provider = await startProvider(closer);
  const setting = { clientId: 'ci', clientSecret: 'a-wrong-secret', tokenUrl: `${provider.issuer}/token` };
  const { get } = await open(oauth2('/token'), setting);
  const error: unknown = await get()?.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ exitCode: 2 });
  expect(String(error)).toContain(
    `${provider.issuer}/token answers 401, invalid_client: client authentication failed`,
  );
  expect(String(error)).not.toContain('a-wrong-secret');
});

test.each([
  [500, 'text/html', '<p>oops</p>', 'it returns no token to the client of "oauth", but 500'],
  [
    200,
    'application/json',
    '{"token_type":"Bearer"}',
    'it returns no token to the client of "oauth", but 200',
  ],
  [302, 'text/plain', '', 'it returns no token to the client of "oauth", but 302'],
])(
  'cannot judge a service whose authorization server answers %i with %s',
  async (status, type, body, reason) => {
    const server = await listen((_, response) => {
      response.writeHead(status, { 'content-type': type }).end(body);
    });
    const { get } = await open(oauth2('/token'), { ...client, tokenUrl: `${server}/token` });
    await expect(get()).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining(reason) });
  },
);
