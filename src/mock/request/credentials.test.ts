import { expect, test } from 'vitest';
import type { SecurityAlternative, SecurityScheme } from '../../contract/contract.ts';
import { createAuthenticator, toTokens } from './credentials.ts';

const bearer = { kind: 'bearer', name: 'bearer' } as const;
const basic = { kind: 'basic', name: 'basic' } as const;
const header = { kind: 'api-key', name: 'key', in: 'header', parameter: 'X-Key' } as const;
const query = { kind: 'api-key', name: 'key', in: 'query', parameter: 'key' } as const;
const cookie = { kind: 'api-key', name: 'key', in: 'cookie', parameter: 'sid' } as const;
const unjudged = { kind: 'unjudged', name: 'mtls', reason: 'the scheme is mutualTLS' } as const;

interface Sent {
  readonly tokens?: readonly string[];
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `good`, or the condition. */
function judge(
  security: readonly SecurityAlternative[],
  { tokens, target = '/', headers = {} }: Sent,
): string {
  const authenticate = createAuthenticator(security, tokens === undefined ? 'any' : new Set(tokens));
  const problem = authenticate?.({
    method: 'GET',
    target,
    header: (name) => headers[name],
    fields: () => [],
  });
  return problem?.condition ?? 'good';
}

function withAuthorization(authorization: string): Sent {
  return { tokens: ['t0ken', 'user:pass'], headers: { authorization } };
}

test.each([
  ['Bearer t0ken', 'good'],
  ['bearer t0ken', 'good'],
  ['BEARER t0ken', 'good'],
  ['Bearer   t0ken', 'good'],
  ['Bearer \t t0ken', 'good'],
  ['Bearer T0KEN', 'invalid-credentials'],
  ['Bearer t0ken2', 'invalid-credentials'],
  ['Bearer t0ken, Bearer t0ken', 'invalid-credentials'],
  ['Bearer', 'missing-credentials'],
  ['Basic t0ken', 'missing-credentials'],
  ['Bearert0ken', 'missing-credentials'],
  ['t0ken', 'missing-credentials'],
  ['', 'missing-credentials'],
])('takes the bearer field %j for %s', (authorization, verdict) => {
  expect(judge([[bearer]], withAuthorization(authorization))).toBe(verdict);
});

test('says which credentials would do, and which of several are missing', () => {
  const authenticate = createAuthenticator([[bearer], [header, cookie]], 'any');
  const say = (headers: Readonly<Record<string, string>>): string | undefined =>
    authenticate?.({ method: 'GET', target: '/', header: (name) => headers[name], fields: () => [] })
      ?.message;
  expect(say({})).toBe(
    'Credentials are missing: send the header Authorization with "Bearer" and a token, or the key in the header "X-Key" and the key in the cookie "sid".',
  );
  expect(say({ 'x-key': 'k' })).toBe('Credentials are missing: send the key in the cookie "sid" as well.');
  expect(say({ 'x-key': 'k', cookie: 'sid=s' })).toBeUndefined();
});

test('lets any single token in where none are listed', () => {
  expect(judge([[bearer]], { headers: { authorization: 'Bearer anything' } })).toBe('good');
  expect(judge([[bearer]], { headers: { authorization: 'Bearer one, Bearer two' } })).toBe(
    'invalid-credentials',
  );
  expect(judge([[bearer]], { headers: { authorization: 'Bearer one two' } })).toBe('invalid-credentials');
});

test.each([
  [`Basic ${btoa('user:pass')}`, 'good'],
  [`basic  ${btoa('user:pass')}`, 'good'],
  [`Basic ${btoa('user:other')}`, 'invalid-credentials'],
  [`Basic ${btoa('nobody')}`, 'invalid-credentials'],
  ['Basic !!!', 'invalid-credentials'],
  ['Bearer t0ken', 'missing-credentials'],
])('takes the basic field %j for %s', (authorization, verdict) => {
  expect(judge([[basic]], withAuthorization(authorization))).toBe(verdict);
});

test('takes basic credentials only with a user and a password', () => {
  expect(judge([[basic]], { headers: { authorization: `Basic ${btoa('any:thing')}` } })).toBe('good');
  expect(judge([[basic]], { headers: { authorization: `Basic ${btoa(':')}` } })).toBe('invalid-credentials');
});

test.each<[string, SecurityAlternative, Sent]>([
  ['a header', [header], { headers: { 'x-key': 'k1' } }],
  ['a query', [query], { target: '/a?b=1&key=k1' }],
  ['an encoded query', [query], { target: '/a?key=%6b1' }],
  ['a cookie', [cookie], { headers: { cookie: 'a=b; sid=k1' } }],
])('finds an API key in %s', (_, alternative, sent) => {
  expect(judge([alternative], { ...sent, tokens: ['k1'] })).toBe('good');
  expect(judge([alternative], { ...sent, tokens: ['k2'] })).toBe('invalid-credentials');
  expect(judge([alternative], { tokens: ['k1'] })).toBe('missing-credentials');
});

test('refuses a key that is given twice', () => {
  expect(judge([[query]], { target: '/?key=a&key=b' })).toBe('invalid-credentials');
});

test('wants all schemes of an alternative, and any one alternative', () => {
  const both = { authorization: 'Bearer t', 'x-key': 'k' };
  expect(judge([[bearer, header]], { headers: both })).toBe('good');
  expect(judge([[bearer, header]], { headers: { authorization: 'Bearer t' } })).toBe('missing-credentials');
  expect(judge([[bearer, header]], { tokens: ['t'], headers: both })).toBe('invalid-credentials');
  expect(judge([[bearer], [header]], { headers: { 'x-key': 'k' } })).toBe('good');
  expect(judge([[bearer], [header]], { tokens: ['t'], headers: { 'x-key': 'k' } })).toBe(
    'invalid-credentials',
  );
});

test('asks for nothing where nothing or an empty alternative is declared', () => {
  expect(createAuthenticator([], 'any')).toBeUndefined();
  expect(createAuthenticator([[bearer], []], 'any')).toBeUndefined();
});

test('lets schemes pass that it cannot judge', () => {
  expect(judge([[unjudged]], {})).toBe('good');
});

test('challenges with a name that no field may hold, as far as one may', () => {
  const unusual = { kind: 'api-key', name: 'odd', in: 'header', parameter: 'X\u0000-"K\u0142ey"\n' } as const;
  const authenticate = createAuthenticator([[unusual]], new Set(['good']));
  const problem = authenticate?.({ method: 'GET', target: '/', header: () => undefined, fields: () => [] });
  expect(problem?.challenge).toBe('ApiKey in="header", name="X-Key"');
});

test('challenges with each scheme, and says what to send without repeating what was sent', () => {
  const authenticate = createAuthenticator([[bearer], [header]], new Set(['good']));
  const problem = authenticate?.({
    method: 'GET',
    target: '/',
    header: () => 'Bearer s3cret',
    fields: () => [],
  });
  expect(problem?.challenge).toBe('Bearer error="invalid_token", ApiKey in="header", name="X-Key"');
  expect(problem?.message).toContain('Authorization');
  expect(JSON.stringify(problem)).not.toContain('s3cret');
});

const send = 'send the header Authorization with "Bearer" and a token.';

test.each([
  ['Basic czNjcmV0', `The Authorization header uses the scheme Basic: ${send}`],
  ['digest s3cret', `The Authorization header uses the scheme Digest: ${send}`],
  ['S3cret s3cret', `The Authorization header uses a scheme that is not known: ${send}`],
  ['bearer', `The Authorization header names the scheme Bearer and no token: ${send}`],
  ['Basic', `The Authorization header names the scheme Basic and no credentials: ${send}`],
  ['s3cret', `The Authorization header holds no scheme: ${send}`],
  ['Bearers3cret', `The Authorization header holds no scheme: ${send}`],
  ['', `The Authorization header is empty: ${send}`],
  [undefined, `Credentials are missing: ${send}`],
])('says of the bearer field %j what it lacks, without repeating a secret', (field, message) => {
  const authenticate = createAuthenticator([[bearer]], new Set(['good']));
  const problem = authenticate?.({ method: 'GET', target: '/', header: () => field, fields: () => [] });
  expect(problem).toEqual({ condition: 'missing-credentials', message, challenge: 'Bearer' });
});

test('does not complain of an Authorization header where only a key is missing', () => {
  for (const security of [[[bearer, header]], [[header]]]) {
    const problem = createAuthenticator(
      security,
      'any',
    )?.({
      method: 'GET',
      target: '/',
      header: (name) => (name === 'authorization' ? 'Bearer t' : undefined),
      fields: () => [],
    });
    expect(problem?.message).toMatch(/^Credentials are missing: /u);
  }
});

test('accepts an API key in Authorization with or without the Bearer scheme', () => {
  const key: SecurityScheme = { kind: 'api-key', name: 'k', in: 'header', parameter: 'Authorization' };
  for (const tokens of [['k1'], ['Bearer k1']]) {
    const judged = ['k1', 'bearer k1', 'Bearer k2', 'Token k1'].map((authorization) =>
      judge([[key]], { headers: { authorization }, tokens: [...toTokens(tokens)] }),
    );
    expect(judged).toEqual(['good', 'good', 'invalid-credentials', 'invalid-credentials']);
  }
});
