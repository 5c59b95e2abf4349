import { expect, test } from 'vitest';
import { listSecrets } from './service.ts';

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
