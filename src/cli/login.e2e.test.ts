import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { hasChromium, launchChromium } from '../../fixtures/chromium.ts';
import { loginDocument } from '../../fixtures/credentials/login-document.ts';
import { type RunningCommand, startCommand } from '../../fixtures/proxy/start-command.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';

const minute = 60_000;
const redirectUri = 'http://127.0.0.1:9/callback';
const client: oauth.Client = { client_id: 'shop-app' };
const secret = oauth.ClientSecretBasic('the-client-secret');
/** The accepted clients, users and session. */
const accounts = ['shop-app:the-client-secret', 'ci:secret-of-ci', 'Ada & "Co":p', 'a-session'];
const insecure = { [oauth.allowInsecureRequests]: true };

let folder: string;
let mock: RunningCommand;
let server: oauth.AuthorizationServer;

beforeAll(async () => {
  await buildWhenStale();
  folder = await mkdtemp(join(tmpdir(), 'cloche-login-'));
  await writeFile(join(folder, 'api.json'), JSON.stringify(loginDocument));
  const ready = /mocked on (http:\S+)\n[^]*Logins/u;
  const words = ['mock', '--port', '0', 'api.json', ...accounts.flatMap((account) => ['--token', account])];
  mock = await startCommand(words, { folder, ready });
  const issuer = new URL(`${mock.url}/realms/shop`);
  const response = await oauth.discoveryRequest(issuer, insecure);
  server = await oauth.processDiscoveryResponse(issuer, response);
}, 2 * minute);
beforeEach(() => control('reset'));
afterAll(async () => {
  await mock.stop();
  await rm(folder, { recursive: true, force: true });
});

async function control(path: string, body: object = {}): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const url = `${mock.url}/__cloche/${path}`;
  const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(status).toBeLessThan(300);
}

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${mock.url}${path}`, { headers, redirect: 'manual' });

async function call(token: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${mock.url}/v1/orders`, { ...init, headers });
  const challenge = response.headers.get('www-authenticate');
  return { status: response.status, challenge, undeclared: response.headers.get('cloche-undeclared') };
}

async function getToken(parameters: Record<string, string> = {}): Promise<string> {
  const response = await oauth.clientCredentialsGrantRequest(server, client, secret, parameters, insecure);
  return (await oauth.processClientCredentialsResponse(server, client, response)).access_token;
}

/** Opens the consent page and sends its form as a browser does. */
async function consent(query: Record<string, string>): Promise<URL> {
  const url = `${server.authorization_endpoint}?${new URLSearchParams(query).toString()}`;
  const page = await (await fetch(url)).text();
  const body = new URLSearchParams({ decision: 'allow' });
  for (const [input = ''] of page.matchAll(/<input [^>]*>/gu)) {
    const [, name = ''] = / name="([^"]*)"/u.exec(input) ?? [];
    const [, value = 'p'] = / value="([^"]*)"/u.exec(input) ?? [];
    body.append(name, value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
  }
  const { status, headers } = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  expect(status).toBe(303);
  return new URL(headers.get('location') ?? '');
}

test('gives a token by client credentials, which expires by the clock of the mock', async () => {
  const token = await getToken();
  const { payload, protectedHeader } = await jwtVerify(
    token,
    createRemoteJWKSet(new URL(server.jwks_uri ?? '')),
    { issuer: `${mock.url}/realms/shop`, audience: `${mock.url}/realms/shop`, typ: 'at+jwt' },
  );
  expect(protectedHeader.alg).toBe('RS256');
  expect(payload).toMatchObject({ client_id: 'shop-app', scope: 'orders:read orders:write' });
  expect(await call(token)).toMatchObject({ status: 200 });
  await control('clock/advance', { ms: 3_600_000 });
  expect(await call(token)).toEqual({
    status: 401,
    challenge: 'Bearer error="invalid_token"',
    undeclared: null,
  });
});

test('requires the scopes of an operation', async () => {
  const token = await getToken({ scope: 'orders:read' });
  const body = '{"item":"pear"}';
  expect(await call(token)).toMatchObject({ status: 200 });
  expect(await call(token, { method: 'POST', body })).toEqual({
    status: 403,
    challenge: 'Bearer error="insufficient_scope", scope="orders:read orders:write"',
    undeclared: 'insufficient-scope',
  });
  expect(await call(await getToken({ scope: 'openid' }))).toEqual({
    status: 403,
    challenge: 'Bearer error="insufficient_scope", scope="orders:read"',
    undeclared: null,
  });
  expect(await call(await getToken(), { method: 'POST', body })).toMatchObject({ status: 201 });
});

test('logs a user in on the consent page, with PKCE, refreshes the token, and signs the ID token', async () => {
  const verifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
  const callback = await consent({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: 'openid profile orders:read',
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    login_hint: 'Ada & "Co"',
  });
  const parameters = oauth.validateAuthResponse(server, client, callback, state);
  const exchange = (codeVerifier: string): Promise<Response> =>
    oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri,
      codeVerifier,
      insecure,
    );
  expect(await (await exchange(oauth.generateRandomCodeVerifier())).json()).toMatchObject({
    error: 'invalid_grant',
  });
  const options = { expectedNonce: nonce, requireIdToken: true };
  const granted = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await exchange(verifier),
    options,
  );
  const keys = createRemoteJWKSet(new URL(server.jwks_uri ?? ''));
  const idToken = await jwtVerify(granted.id_token ?? '', keys, {
    issuer: server.issuer,
    audience: 'shop-app',
  });
  expect(idToken.payload).toMatchObject({ nonce, sub: 'Ada & "Co"' });
  const userinfo = await oauth.userInfoRequest(server, client, granted.access_token, insecure);
  expect(
    await oauth.processUserInfoResponse(server, client, idToken.payload.sub ?? '', userinfo),
  ).toMatchObject({ name: idToken.payload.sub });
  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, oauth.None(), granted.refresh_token ?? '', insecure),
  );
  expect(await call(refreshed.access_token)).toMatchObject({ status: 200 });
  expect((await exchange(verifier)).status).toBe(400);
  expect(await call(granted.access_token)).toMatchObject({ status: 401 });
});

test('logs a device in with the code that the user types', async () => {
  const start = await oauth.deviceAuthorizationRequest(server, client, oauth.None(), {}, insecure);
  const device = await oauth.processDeviceAuthorizationResponse(server, client, start);
  const poll = async () =>
    oauth.processDeviceCodeResponse(
      server,
      client,
      await oauth.deviceCodeGrantRequest(server, client, oauth.None(), device.device_code, insecure),
    );
  await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending' });
  const body = new URLSearchParams({ user_code: device.user_code, user: 'Ada & "Co"', password: 'p' });
  body.append('granted_scope', 'orders:read');
  body.append('decision', 'allow');
  expect((await fetch(device.verification_uri, { method: 'POST', body })).status).toBe(200);
  expect(await call((await poll()).access_token)).toMatchObject({ status: 200 });
});

test('gives a token by a password to a page of another origin', async () => {
  const response = await fetch(server.token_endpoint ?? '', {
    method: 'POST',
    headers: { origin: 'http://localhost:5173' },
    body: new URLSearchParams({
      grant_type: 'password',
      username: 'Ada & "Co"',
      password: 'p',
      scope: 'orders:read',
    }),
  });
  expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toMatchObject({
    token_type: 'Bearer',
    expires_in: 3_600,
    scope: 'orders:read',
  });
});

test('sets the cookie that operations require when a client logs in', async () => {
  expect((await get('/me')).status).toBe(401);
  const login = await fetch(`${mock.url}/login`, { method: 'POST' });
  const cookie = login.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^sid=[0-9a-f]{32}; Path=\/; HttpOnly/u);
  expect((await get('/me', { cookie: cookie.split(';')[0] ?? '' })).status).toBe(200);
});

test('names the login endpoints at its start', () => {
  expect(mock.output()).toContain(
    `Logins: get tokens at ${mock.url}/oauth/authorize, ${mock.url}/oauth/token and ${mock.url}/realms/shop/.well-known/openid-configuration.`,
  );
  expect(mock.output()).not.toContain('the-client-secret');
});

test('cloche test gets its tokens from the mock, and finds nothing in it', { timeout: minute }, async () => {
  await writeFile(
    join(folder, 'cloche.yaml'),
    `document: api.json\nurl: ${mock.url}\ncredentials: { oauth: { clientId: ci, clientSecret: secret-of-ci }, session: a-session }\n`,
  );
  const words = ['test', '--suite', 'valid-bodies', '--suite', 'credentials', '--runs', '3', '--seed', '1'];
  const { code, stdout, stderr } = await runCloche(words, { folder });
  expect({ code, stdout: `${stdout}${stderr}` }).toEqual({
    code: 0,
    stdout: expect.stringContaining(mock.url),
  });
});

test.skipIf(!hasChromium)(
  'shows pages for consent and for the code of a device that anyone can use (Chromium)',
  { timeout: minute },
  async () => {
    const browser = await launchChromium();
    try {
      const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: 'a<b>',
        redirect_uri: redirectUri,
      });
      await page.goto(`${server.authorization_endpoint}?${query.toString()}`);
      await page.evaluate(axe.source);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const { violations } = await page.evaluate<AxeResults>('axe.run(document)');
        expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      expect(await page.getByLabel('orders:write: Change <orders>').isChecked()).toBe(true);
      await page.route(`${redirectUri}?**`, (route) => route.fulfill({ body: 'Back in the app' }));
      await page.getByRole('button', { name: 'Deny' }).click();
      await page.getByText('Back in the app').waitFor();
      expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
      const start = await oauth.deviceAuthorizationRequest(server, client, oauth.None(), {}, insecure);
      const device = await oauth.processDeviceAuthorizationResponse(server, client, start);
      await page.goto(device.verification_uri);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<AxeResults>('axe.run(document)');
      expect(violations.map(({ id }) => id)).toEqual([]);
      await page.getByLabel('Code').fill(device.user_code);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel('User').fill('Ada & "Co"');
      await page.getByLabel('Password').fill('p');
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('heading', { name: 'The device gets access' }).waitFor();
    } finally {
      await browser.close();
    }
  },
);
