import { expect, test } from 'vitest';
import { findCredentialFault, readCredentialSettings } from './settings.ts';

test('reads each kind of settings', () => {
  const { settings, problems } = readCredentialSettings(
    {
      bearerAuth: 's3cret',
      session: { command: './login.sh' },
      basic: { username: 'me', password: 'hidden' },
      oauth: { clientId: 'ci', clientSecret: 'shh', scopes: 'read write', clientAuthentication: 'post' },
      refreshed: { clientId: 'ci', refreshToken: 'r', tokenUrl: 'https://id.example.com/token' },
      cookie: { operation: 'logIn', body: { name: 'me' }, token: '$response.cookie.sid' },
      mtls: { cert: 'client.pem', key: 'client.key' },
    },
    '/credentials',
  );
  expect(problems).toEqual([]);
  expect(Object.fromEntries(settings)).toEqual({
    bearerAuth: { kind: 'value', value: 's3cret', pointer: '/credentials/bearerAuth' },
    session: { kind: 'command', command: './login.sh', pointer: '/credentials/session' },
    basic: { kind: 'password', value: 'me:hidden', password: 'hidden', pointer: '/credentials/basic' },
    oauth: {
      kind: 'oauth',
      clientId: 'ci',
      clientSecret: 'shh',
      scopes: ['read', 'write'],
      clientAuthentication: 'post',
      pointer: '/credentials/oauth',
    },
    refreshed: {
      kind: 'oauth',
      clientId: 'ci',
      refreshToken: 'r',
      tokenUrl: 'https://id.example.com/token',
      scopes: [],
      clientAuthentication: 'basic',
      pointer: '/credentials/refreshed',
    },
    cookie: {
      kind: 'login',
      operation: 'logIn',
      body: { name: 'me' },
      token: '$response.cookie.sid',
      pointer: '/credentials/cookie',
    },
    mtls: { kind: 'certificate', cert: 'client.pem', key: 'client.key', pointer: '/credentials/mtls' },
  });
});

test.each([
  [5, '', 'is no object of credentials by security scheme'],
  [{ a: 5 }, '/a', 'is no credential, and does not say how to get one'],
  [{ a: '' }, '/a', 'cannot be sent, as it is empty'],
  [{ a: 'one\ntwo' }, '/a', 'cannot be sent, as it has a control character or several lines'],
  [{ a: { comand: 'x' } }, '/a', 'is no credential, and does not say how to get one'],
  [{ a: { clientId: 'x' } }, '/a', 'must have "clientSecret" or "refreshToken"'],
  [{ a: { clientSecret: 'x' } }, '/a', 'must have "clientId"'],
  [{ a: { username: 'x', password: 5 } }, '/a/password', 'is no text, or an empty one'],
  [
    { a: { username: 'x:y', password: 'z' } },
    '/a/username',
    'has a colon, which ends a user name (RFC 7617 §2)',
  ],
  [
    { a: { clientId: 'x', clientSecret: 'y', tokenUrl: 'https://me:z@example.com' } },
    '/a/tokenUrl',
    'is no http or https URL',
  ],
  [{ a: { clientId: 'x', clientSecret: 'y', scopes: [5] } }, '/a/scopes', 'is no list of texts'],
  [
    { a: { clientId: 'x', clientSecret: 'y', clientAuthentication: 'jwt' } },
    '/a/clientAuthentication',
    'is no way to authenticate a client',
  ],
  [{ a: { operation: 'logIn', token: '#/token' } }, '/a/token', 'is no place in a response'],
])('reports what is wrong with %j', (value, pointer, reason) => {
  const { settings, problems } = readCredentialSettings(value);
  expect(settings.size).toBe(0);
  expect(problems).toMatchObject([{ pointer, reason }]);
});

test('suggests the name of a misspelt member', () => {
  const { problems } = readCredentialSettings({ a: { clientId: 'x', clientSecret: 'y', tokenurl: 'z' } });
  expect(problems).toEqual([
    {
      pointer: '/a/tokenurl',
      reason: 'is no setting of a credential of this kind',
      remedy: 'Perhaps "tokenUrl" was meant',
    },
  ]);
});

test('accepts spaces and tabs in a credential', () => {
  expect(findCredentialFault('Bearer\ta b')).toBeUndefined();
});
