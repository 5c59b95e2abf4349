import { expect, test } from 'vitest';
import { askControl } from '../../fixtures/ask-control.ts';
import { loginDocument } from '../../fixtures/credentials/login-document.ts';
import { openMock } from '../../fixtures/mock-client.ts';
import type { MockOptions } from './mock.ts';

type Form = Readonly<Record<string, string>>;

interface Answer {
  readonly status: number;
  readonly access_token?: string;
  readonly refresh_token?: string;
}

async function open(options: MockOptions = {}) {
  const { mock } = await openMock(loginDocument, options);
  const token = async (form: Form, headers: Form = {}): Promise<Answer> => {
    const response = await mock.fetch('/oauth/token', {
      method: 'POST',
      body: new URLSearchParams(form),
      headers,
    });
    // `as`: the endpoint answers with an object.
    const answer = (await response.json()) as Form;
    return { ...answer, status: response.status };
  };
  const authorize = (query: Form, init?: RequestInit) =>
    mock.fetch(`/oauth/authorize?${new URLSearchParams(query).toString()}`, init);
  const list = async (accessToken = '') => {
    const response = await mock.fetch('/orders', { headers: { authorization: `Bearer ${accessToken}` } });
    return { status: response.status, challenge: response.headers.get('www-authenticate') };
  };
  return { mock, token, authorize, list };
}

const client = { client_id: 'app', client_secret: 'the-client-secret' };
const asked = { response_type: 'code', client_id: 'app', redirect_uri: 'http://127.0.0.1:9/cb', state: 's' };
const silent = { ...asked, prompt: 'none', login_hint: 'ada' };

const codeOf = (response: Response): string =>
  new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';

test.each<[string, Form, number, string]>([
  ['no grant type', {}, 400, 'invalid_request'],
  ['an unknown grant type', { grant_type: 'toString' }, 400, 'unsupported_grant_type'],
  ['a client without a secret', { grant_type: 'client_credentials' }, 401, 'invalid_client'],
  [
    'a password grant without a password',
    { grant_type: 'password', username: 'ada' },
    400,
    'invalid_request',
  ],
  [
    'an unknown code',
    { grant_type: 'authorization_code', code: 'x', client_id: 'app' },
    400,
    'invalid_grant',
  ],
  ['an unknown refresh token', { grant_type: 'refresh_token', refresh_token: 'x' }, 400, 'invalid_grant'],
])('refuses %s', async (_, form, status, error) => {
  const { token } = await open();
  expect(await token(form)).toMatchObject({ status, error });
});

test('refuses secrets in the query of the token endpoint', async () => {
  const { mock } = await open();
  const query = new URLSearchParams({ grant_type: 'client_credentials', ...client }).toString();
  const response = await mock.fetch(`/oauth/token?${query}`, { method: 'POST' });
  expect(await response.json()).toMatchObject({ error: 'invalid_request' });
});

test.each<[string, Form]>([
  ['a script', { redirect_uri: 'javascript:alert(1)' }],
  ['a script with white space before it', { redirect_uri: ' java\nscript:alert(1)' }],
  ['a relative address', { redirect_uri: '/cb' }],
  ['an address with a fragment', { redirect_uri: 'http://127.0.0.1:9/cb#x' }],
  ['no address', { redirect_uri: '' }],
  ['no client', { client_id: '' }],
])('never redirects to %s', async (_, query) => {
  const { authorize } = await open();
  const response = await authorize({ ...silent, ...query });
  expect(response.status).toBe(400);
  expect(response.headers.get('location')).toBeNull();
});

test.each<[string, Form, string]>([
  ['a response type', { response_type: 'token' }, 'unsupported_response_type'],
  ['a challenge method', { code_challenge: 'x'.repeat(43), code_challenge_method: 'S1' }, 'invalid_request'],
  ['a challenge', { code_challenge: 'short' }, 'invalid_request'],
  ['a login without a user', { login_hint: '' }, 'login_required'],
  ['a response mode', { response_mode: 'form_post' }, 'invalid_request'],
])('reports %s that it cannot use to the client', async (_, query, error) => {
  const { authorize } = await open();
  const { searchParams, pathname } = new URL(
    (await authorize({ ...silent, ...query })).headers.get('location') ?? '',
  );
  expect([pathname, searchParams.get('error'), searchParams.get('state')]).toEqual(['/cb', error, 's']);
});

test('lists issued tokens for the inspector, without the tokens', async () => {
  const { mock, token } = await open({ clock: () => 0 });
  const { access_token: issued = '' } = await token({ grant_type: 'client_credentials', ...client });
  const { status, text } = await askControl(mock, 'GET /tokens');
  expect([status, JSON.parse(text)]).toMatchObject([
    200,
    {
      tokens: [{ subject: 'app', clientId: 'app', expiresAt: '1970-01-01T01:00:00.000Z', isExpired: false }],
    },
  ]);
  expect(text).not.toContain(issued);
});

test('exchanges a code once, and revokes its tokens if it is used again', async () => {
  const { authorize, token, list } = await open();
  const code = codeOf(await authorize(silent));
  const form = { grant_type: 'authorization_code', code, client_id: 'app' };
  expect(await token({ ...form, redirect_uri: 'http://127.0.0.1:9/other' })).toMatchObject({
    error: 'invalid_grant',
  });
  expect(await token({ ...form, redirect_uri: asked.redirect_uri, client_id: 'b' })).toMatchObject({
    error: 'invalid_grant',
  });
  const issued = await token({ ...form, redirect_uri: asked.redirect_uri });
  expect(await list(issued.access_token)).toMatchObject({ status: 200 });
  expect(await token({ ...form, redirect_uri: asked.redirect_uri })).toMatchObject({
    error: 'invalid_grant',
  });
  expect(await list(issued.access_token)).toMatchObject({ status: 401 });
  const refresh = {
    grant_type: 'refresh_token',
    refresh_token: issued.refresh_token ?? '',
    client_id: 'app',
  };
  expect(await token(refresh)).toMatchObject({ error: 'invalid_grant' });
});

test('compares the verifier with a plain challenge, and requires one only with a challenge', async () => {
  const { authorize, token } = await open();
  const verifier = 'v'.repeat(43);
  const exchange = async (query: Form, form: Form) =>
    token({
      grant_type: 'authorization_code',
      code: codeOf(await authorize({ ...silent, ...query })),
      redirect_uri: asked.redirect_uri,
      client_id: 'app',
      ...form,
    });
  const challenge = { code_challenge: verifier };
  expect(await exchange(challenge, { code_verifier: verifier })).toMatchObject({ status: 200 });
  expect(await exchange(challenge, { code_verifier: 'w'.repeat(43) })).toMatchObject({
    error: 'invalid_grant',
  });
  expect(await exchange(challenge, {})).toMatchObject({ error: 'invalid_grant' });
  expect(await exchange({}, { code_verifier: verifier })).toMatchObject({ error: 'invalid_grant' });
});

test('narrows the scopes of a refreshed token, and accepts each refresh token once', async () => {
  const { token } = await open();
  const first = await token({ grant_type: 'password', username: 'ada', password: 'p' });
  expect(first).toMatchObject({ status: 200, scope: 'orders:read orders:write', token_type: 'Bearer' });
  const form = { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' };
  expect(await token({ ...form, scope: 'admin' })).toMatchObject({ error: 'invalid_scope' });
  const narrow = await token({ ...form, scope: 'orders:read' });
  expect(narrow).toMatchObject({ status: 200, scope: 'orders:read' });
  const wide = await token({ ...form, refresh_token: narrow.refresh_token ?? '' });
  expect(wide).toMatchObject({ status: 200, scope: 'orders:read orders:write' });
  expect(await token(form)).toMatchObject({ error: 'invalid_grant' });
});

test('accepts only listed clients and users if tokens are listed, and the tokens that it issues', async () => {
  const { token, list, authorize } = await open({ tokens: ['app:the-client-secret', 'ada:pa:ss'] });
  expect(await token({ grant_type: 'client_credentials', ...client, client_secret: 'x' })).toMatchObject({
    status: 401,
    error: 'invalid_client',
  });
  const basic = { authorization: `Basic ${btoa('app:the-client-secret')}` };
  const issued = await token({ grant_type: 'client_credentials' }, basic);
  expect(await list(issued.access_token)).toMatchObject({ status: 200 });
  expect(await list('unknown')).toMatchObject({ status: 401, challenge: 'Bearer error="invalid_token"' });
  expect(await token({ grant_type: 'password', username: 'ada', password: 'x' })).toMatchObject({
    error: 'invalid_grant',
  });
  expect(await token({ grant_type: 'password', username: 'ada', password: 'pa:ss' })).toMatchObject({
    status: 200,
  });
  expect((await authorize(silent)).headers.get('location')).toContain('error=login_required');
  const decide = (password: string) =>
    authorize(
      {},
      { method: 'POST', body: new URLSearchParams({ ...asked, user: 'ada', password, decision: 'allow' }) },
    );
  expect((await decide('x')).status).toBe(403);
  expect((await decide('pa:ss')).status).toBe(303);
});

test('grants a login without the page after the first, and knows its user', async () => {
  const { authorize, token, mock } = await open();
  const page = new URLSearchParams({ ...asked, scope: 'openid email', user: 'ada', decision: 'allow' });
  page.append('granted_scope', 'openid');
  page.append('granted_scope', 'admin');
  const allowed = await authorize({}, { method: 'POST', body: page });
  const cookie = allowed.headers.get('set-cookie')?.split(';')[0] ?? '';
  const query = { ...asked, response_mode: 'fragment', prompt: 'none', scope: 'openid email' };
  const { hash } = new URL((await authorize(query, { headers: { cookie } })).headers.get('location') ?? '');
  const code = new URLSearchParams(hash.slice(1)).get('code') ?? '';
  const exchange = { grant_type: 'authorization_code', client_id: 'app', redirect_uri: asked.redirect_uri };
  const issued = await token({ ...exchange, code });
  const userinfo = await mock.fetch('/realms/shop/oauth2/userinfo', {
    headers: { authorization: `Bearer ${issued.access_token ?? ''}` },
  });
  expect(await userinfo.json()).toEqual({ sub: 'ada', email: 'ada@example.com', email_verified: true });
});

test('denies access if the user does, and leaves out scopes that the user does not grant', async () => {
  const { authorize, token } = await open();
  const decide = async (form: Form) =>
    authorize({}, { method: 'POST', body: new URLSearchParams({ ...asked, ...form }) });
  expect((await decide({ decision: 'deny' })).headers.get('location')).toContain('error=access_denied');
  const code = codeOf(await decide({ decision: 'allow', user: 'ada', granted_scope: 'orders:read' }));
  const form = { grant_type: 'authorization_code', code, client_id: 'app', redirect_uri: asked.redirect_uri };
  expect(await token(form)).toMatchObject({ scope: 'orders:read' });
});

test('revokes tokens', async () => {
  const { token, mock, list } = await open();
  const { access_token: accessToken = '' } = await token({ grant_type: 'client_credentials', ...client });
  expect(await list(accessToken)).toMatchObject({ status: 200 });
  const body = new URLSearchParams({ token: accessToken });
  await mock.fetch('/realms/shop/oauth2/revoke', { method: 'POST', body });
  expect(await list(accessToken)).toMatchObject({ status: 401 });
});

/** Starts the login of a device. `poll` asks for its tokens, `open` sends the browser of the user to the page. */
async function openDevice(options: MockOptions = {}) {
  const { mock, token, list } = await open(options);
  const start = async (form: Form): Promise<Form> => {
    const init = { method: 'POST', body: new URLSearchParams(form) };
    // `as`: the endpoint answers with an object.
    return (await (await mock.fetch('/realms/shop/oauth2/device_authorization', init)).json()) as Form;
  };
  const started = await start({ client_id: 'app' });
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: started['device_code'] ?? '',
    client_id: 'app',
  };
  const page = async (query: Form, method = 'GET') => {
    const parameters = new URLSearchParams(query);
    const target = '/realms/shop/oauth2/device';
    const response =
      method === 'GET'
        ? await mock.fetch(`${target}?${parameters.toString()}`)
        : await mock.fetch(target, { method, body: parameters });
    return { status: response.status, html: await response.text() };
  };
  const poll = (other: Form = {}) => token({ ...form, ...other });
  return { mock, start, started, page, poll, list, userCode: started['user_code'] ?? '' };
}

test('gives a device tokens after the user allows it on the page, and only once', async () => {
  const { started, userCode, page, poll, list, mock } = await openDevice();
  const verification = 'http://localhost/realms/shop/oauth2/device';
  expect(started).toMatchObject({
    user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/u),
    verification_uri: verification,
    verification_uri_complete: `${verification}?user_code=${userCode}`,
    expires_in: 600,
    interval: 1,
  });
  expect(await poll()).toMatchObject({ status: 400, error: 'authorization_pending' });
  expect((await page({})).html).toContain('name="user_code"');
  const typed = userCode.toLowerCase().replace('-', ' ');
  expect((await page({ user_code: typed })).html).toContain('<strong>app</strong> asks for access');
  const allow = { user_code: typed, user: 'ada', granted_scope: 'orders:read', decision: 'allow' };
  expect(await page(allow, 'POST')).toMatchObject({
    status: 200,
    html: expect.stringContaining('The device gets access'),
  });
  expect(await poll({ client_id: 'another' })).toMatchObject({ error: 'invalid_grant' });
  const issued = await poll();
  expect(issued).toMatchObject({ status: 200, scope: 'orders:read', refresh_token: expect.any(String) });
  expect(await list(issued.access_token)).toMatchObject({ status: 200 });
  expect(await poll()).toMatchObject({ error: 'invalid_grant' });
  expect(await page(allow, 'POST')).toMatchObject({ status: 400 });
  expect(JSON.stringify(mock.requests.list().map(({ id }) => mock.requests.get(id)))).not.toContain(
    started['device_code'],
  );
});

test('slows a device down by the clock of the mock, until its code expires', async () => {
  const { userCode, page, poll, mock } = await openDevice();
  mock.clock.freeze(true);
  expect(await poll()).toMatchObject({ error: 'authorization_pending' });
  expect(await poll()).toMatchObject({ error: 'slow_down' });
  mock.clock.advance(5_999);
  expect(await poll()).toMatchObject({ error: 'slow_down' });
  mock.clock.advance(11_000);
  expect(await poll()).toMatchObject({ error: 'authorization_pending' });
  mock.clock.advance(600_000);
  expect(await poll()).toMatchObject({ status: 400, error: 'expired_token' });
  expect(await page({ user_code: userCode, decision: 'allow' }, 'POST')).toMatchObject({ status: 400 });
});

test('denies a device access if the user does', async () => {
  const { userCode, page, poll } = await openDevice();
  expect(await page({ user_code: userCode, decision: 'deny' }, 'POST')).toMatchObject({ status: 200 });
  expect(await poll()).toMatchObject({ status: 400, error: 'access_denied' });
});

test('grants a device access without the page for prompt=none with a user', async () => {
  const { userCode, page, poll } = await openDevice();
  expect(await page({ user_code: userCode, prompt: 'none' })).toMatchObject({ status: 400 });
  expect(await poll()).toMatchObject({ error: 'authorization_pending' });
  await page({ user_code: userCode, prompt: 'none', login_hint: 'ada' });
  expect(await poll()).toMatchObject({ status: 200, scope: 'orders:read orders:write' });
});

test('asks for the password of a listed user, and checks the client of a device', async () => {
  const { start, userCode, page, poll } = await openDevice({ tokens: ['app:s', 'ada:pa:ss'] });
  expect(await start({})).toMatchObject({ error: 'invalid_request' });
  expect(await start({ client_id: 'app', scope: 'openid', client_secret: 'x' })).toMatchObject({
    error: 'invalid_client',
  });
  const decide = (password: string) =>
    page({ user_code: userCode, user: 'ada', password, decision: 'allow' }, 'POST');
  expect(await decide('x')).toMatchObject({ status: 403 });
  expect(await poll()).toMatchObject({ error: 'authorization_pending' });
  expect(await decide('pa:ss')).toMatchObject({ status: 200 });
  expect(await poll()).toMatchObject({ status: 200 });
});

test('enforces the scopes of its own tokens only, also after a reset and a change of the policy', async () => {
  const { token, mock, list } = await open();
  const { access_token: accessToken } = await token({
    grant_type: 'client_credentials',
    ...client,
    scope: 'openid',
  });
  await mock.change({ policy: { 'list-order': 'newest-first' } });
  await mock.reset();
  expect(await list('of-another-issuer')).toMatchObject({ status: 200 });
  expect(await list(accessToken)).toEqual({
    status: 403,
    challenge: 'Bearer error="insufficient_scope", scope="orders:read"',
  });
});

test('hides the secrets of logins in the log', async () => {
  const { token, authorize, mock } = await open();
  const code = codeOf(await authorize({ ...silent, code_challenge: 'v'.repeat(43) }));
  const form = { ...client, grant_type: 'authorization_code', code, redirect_uri: asked.redirect_uri };
  const issued = await token({ ...form, code_verifier: 'v'.repeat(43) });
  await token({
    grant_type: 'refresh_token',
    refresh_token: issued.refresh_token ?? '',
    client_id: 'app',
  });
  await token({ grant_type: 'password', username: 'ada', password: 'the-password' });
  const log = JSON.stringify(mock.requests.list());
  const whole = JSON.stringify(mock.requests.list().map(({ id }) => mock.requests.get(id)));
  for (const secret of [
    code,
    issued.access_token,
    issued.refresh_token,
    client.client_secret,
    'the-password',
  ])
    expect(`${log}${whole}`).not.toContain(secret);
  expect(whole).toContain('grant_type=password');
});

test('makes a later token of a user the same user', async () => {
  const { token, mock } = await open({ policy: { 'items-of-others': 'hidden' } });
  const login = async (username: string) =>
    (await token({ grant_type: 'password', username, password: 'p' })).access_token ?? '';
  const list = async (accessToken: string) =>
    (await mock.fetch('/orders', { headers: { authorization: `Bearer ${accessToken}` } })).json();
  const headers = { authorization: `Bearer ${await login('ada')}`, 'content-type': 'application/json' };
  await mock.fetch('/orders', { method: 'POST', headers, body: '{"item":"pear"}' });
  expect(await list(await login('ada'))).toEqual([{ id: 1, item: 'pear' }]);
  expect(await list(await login('bob'))).toEqual([]);
});

test('serves the token endpoint of an OpenAPI 2.0 document', async () => {
  const o = { type: 'oauth2', flow: 'application', tokenUrl: 'https://a.example/t', scopes: {} };
  const info = { title: 'T', version: '1' };
  const { mock } = await openMock({ swagger: '2.0', info, paths: {}, securityDefinitions: { o } });
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...client });
  expect((await mock.fetch('/t', { method: 'POST', body })).status).toBe(200);
  expect((await mock.fetch('/t')).headers.get('allow')).toBe('POST, OPTIONS');
});

test('answers with the metadata of the server that an OpenAPI 3.2 document names', async () => {
  const oauth2MetadataUrl = 'https://a.example/.well-known/oauth-authorization-server/shop';
  const deviceAuthorizationUrl = 'https://a.example/shop/d';
  const flow = { tokenUrl: 'https://a.example/shop/t', deviceAuthorizationUrl, scopes: {} };
  const { mock } = await openMock({
    openapi: '3.2.0',
    info: { title: 'T', version: '1' },
    paths: {},
    components: {
      securitySchemes: { o: { type: 'oauth2', oauth2MetadataUrl, flows: { deviceAuthorization: flow } } },
    },
  });
  const metadata = await mock.fetch('/.well-known/oauth-authorization-server/shop');
  expect(await metadata.json()).toMatchObject({
    issuer: 'http://localhost/shop',
    token_endpoint: 'http://localhost/shop/t',
    device_authorization_endpoint: 'http://localhost/shop/d',
  });
  const init = { method: 'POST', body: new URLSearchParams({ client_id: 'app' }) };
  expect(await (await mock.fetch('/shop/d', init)).json()).toMatchObject({
    verification_uri: 'http://localhost/shop/oauth2/device',
  });
});

test('leaves a declared operation at the token endpoint alone, and expires the tokens that it returns', async () => {
  const schema = {
    type: 'object',
    properties: { access_token: { type: 'string' }, expires_in: { type: 'integer' } },
  };
  const example = { access_token: 'declared-token', expires_in: 60 };
  const { mock } = await openMock(
    {
      ...loginDocument,
      paths: {
        ...loginDocument.paths,
        '/oauth/token': {
          post: {
            operationId: 'getToken',
            responses: {
              200: { description: 'A token', content: { 'application/json': { schema, example } } },
            },
          },
        },
      },
    },
    { tokens: ['another'] },
  );
  expect(await (await mock.fetch('/oauth/token', { method: 'POST' })).json()).toEqual(example);
  const list = async () =>
    (await mock.fetch('/orders', { headers: { authorization: 'Bearer declared-token' } })).status;
  expect(await list()).toBe(200);
  mock.clock.advance(61_000);
  expect(await list()).toBe(401);
  await mock.fetch('/oauth/token', { method: 'POST' });
  expect(await list()).toBe(200);
});
