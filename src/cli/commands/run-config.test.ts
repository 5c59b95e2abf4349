import fc from 'fast-check';
import { expect, test } from 'vitest';
import { options } from '../../config/options.ts';
import { maskValue } from './run-config.ts';

/** Texts that no name of a setting contains. */
const secret = fc.string({ minLength: 6, maxLength: 30 }).map((text) => `§${text}§`);

test('no secret of credentials is shown, however they are given', () => {
  const setting = fc.oneof(
    secret,
    fc.record({
      clientId: fc.constant('ci'),
      clientSecret: secret,
      refreshToken: secret,
      scopes: fc.constant(['a']),
    }),
    fc.record({ username: fc.constant('me'), password: secret }),
    fc.record({ operation: fc.constant('login'), body: fc.record({ user: secret, deep: fc.array(secret) }) }),
  );
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('bearer', 'key', 'token', 'clientId'), setting),
      (credentials) => {
        expect(JSON.stringify(maskValue(options.credentials, credentials))).not.toContain('§');
      },
    ),
  );
});

test('no token, secret header field, credential or user of a URL is shown', () => {
  fc.assert(
    fc.property(secret, (value) => {
      const shown = [
        maskValue(options.token, value),
        maskValue({ ...options.token, kind: 'tokens' }, [value, value]),
        maskValue(options['control-token'], value),
        maskValue(options.credential, [`bearer=${value}`]),
        maskValue(options.header, [
          `Authorization: Bearer ${value}`,
          `X-Api-Key: ${value}`,
          `Cookie: a=${value}`,
        ]),
        maskValue(options.proxy, `http://me:${encodeURIComponent(value)}§@127.0.0.1:3128`),
      ];
      expect(JSON.stringify(shown)).not.toContain('§');
      expect(JSON.stringify(shown)).not.toContain(encodeURIComponent(value));
    }),
  );
});

test('shows what is no secret', () => {
  expect(maskValue(options.header, ['X-Tenant: acme'])).toEqual(['X-Tenant: acme']);
  expect(maskValue(options.runs, '5')).toBe(5);
  expect(
    maskValue(options.credentials, { oauth: { clientId: 'ci', scopes: ['orders'], clientSecret: 'x' } }),
  ).toEqual({ oauth: { clientId: 'ci', scopes: ['orders'], clientSecret: '***' } });
});
