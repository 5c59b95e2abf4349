import { expect, test } from 'vitest';
import { secretVariables } from '../http/shell-quoting.ts';
import { createSecretList, listSecrets, tokenSecrets } from './secrets.ts';

test('takes credentials without their scheme, keys, tokens and cookies for secrets, however short', () => {
  const secrets = listSecrets({
    token: 'abc',
    headers: [
      ['Authorization', 'Basic dXNlcg=='],
      ['X-Api-Key', 'k'],
      ['cookie', 'sid=crumbs; a=1'],
      ['X-Tenant', 'acme'],
    ],
    secrets: ['abc', 'Basic dXNlcg==', 'sid=crumbs; a=1'],
  });
  expect(secrets.map(({ value }) => value)).toEqual(['abc', 'dXNlcg==', 'k', 'sid=crumbs; a=1', 'crumbs']);
  expect(secrets[2]?.meaning).toBe('the value of --header X-Api-Key');
});

test('keeps the first place for the token where there is none', () => {
  const [first, second] = listSecrets({ token: undefined, headers: [['X-Session', 's']], secrets: [] });
  expect([first?.value, second?.value]).toEqual(['', 's']);
});

test('takes a user and a password in base64 for a secret too', () => {
  const secrets = listSecrets({ token: 'me:hidden', headers: [], secrets: ['me:hidden'] });
  expect(secrets[1]).toEqual({ value: 'bWU6aGlkZGVu', meaning: 'the token in base64' });
});

test('takes what a probe makes of a token for a secret too, in base64 where it is a user and a password', () => {
  const valuesOf = (token: string): readonly string[] =>
    listSecrets({ token, headers: [], secrets: [token] }).map(({ value }) => value);
  expect(valuesOf('Token-91c2')).toEqual(['Token-91c2', 'Token-91c', 'TOKEN-91C2']);
  expect(valuesOf('abcdefg==')).toEqual(['abcdefg==', 'abcdef', 'ABCDEFG==']);
  expect(valuesOf('0123abcd')).toEqual(['0123abcd', '0123abc', '0123abcg']);
  expect(valuesOf('me:hidden')).toEqual([
    'me:hidden',
    'bWU6aGlkZGVu',
    'me:hidde',
    'ME:HIDDEN',
    'bWU6aGlkZGU=',
    'TUU6SElEREVO',
  ]);
});

test('adds a credential of a running command after the secrets before it, with its other forms', () => {
  const list = createSecretList([{ value: '', meaning: 'the token' }]);
  const { values, meanings } = list;
  list.addCredential('me:hidden', 'the token of oauth');
  list.addCredential('me:hidden', 'the same token again');
  list.addCredential('', 'no token');
  expect(values.slice(0, 4)).toEqual(['', 'me:hidden', 'bWU6aGlkZGVu', 'me:hidde']);
  expect(meanings.slice(0, 3)).toEqual(['the token', 'the token of oauth', 'the token of oauth in base64']);
  expect([values.length, meanings.length]).toEqual([7, 7]);
  // The token of a scheme that is fetched again shares its variables.
  list.addCredential('me:again', 'the token of oauth');
  expect(new Set(secretVariables(values, meanings).map(([, name]) => name)).size).toBe(7);
  const [, name] = secretVariables(values, meanings).find(([secret]) => secret === 'me:again') ?? [];
  expect(name).toBe('CLOCHE_TOKEN_2');
});

test('finds the secret behind a scheme, and the pair that Basic encodes', () => {
  expect(tokenSecrets('Bearer s3cret')).toEqual(['s3cret']);
  expect(tokenSecrets(`Basic ${btoa('me:s3cret')}`)).toEqual([btoa('me:s3cret'), 'me:s3cret']);
  expect(tokenSecrets('s3cret')).toEqual(['s3cret']);
});
