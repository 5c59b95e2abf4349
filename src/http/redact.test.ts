import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor, redactText, isSecretName } from './redact.ts';

test('hides a secret wherever it stands, in each of its spellings', () => {
  const secret = 's3cr3t+"token"';
  expect(redactText(`Bearer ${secret}, xx${secret}xx`, [secret])).toBe('Bearer [secret], xx[secret]xx');
  expect(redactText(`?key=${encodeURIComponent(secret)} ${JSON.stringify({ secret })}`, [secret])).toBe(
    '?key=[secret] {"secret":"[secret]"}',
  );
});

test('hides the longer of two secrets that begin alike', () => {
  expect(redactText('secret-1 secret-12', ['secret-1', 'secret-12'])).toBe('[secret] [secret]');
  expect(redactText('abcdefgh-suffix', ['abcdefgh', 'abcdefgh-suffix'])).toBe('[secret]');
});

test('hides a secret of any length, whichever of its characters are encoded', () => {
  const secret = 'long/'.repeat(4_000);
  const spellings = [secret, encodeURIComponent(secret), secret.replaceAll('/', String.raw`\/`)];
  expect(redactText(`a${spellings.join(' ')}b`, [secret])).toBe('a[secret] [secret] [secret]b');
  const other = secret.replace(/.$/u, '?');
  expect(redactText(`${other} ${secret}`, [secret])).toBe(`${other} [secret]`);
});

test('hides a secret behind a character that makes an escape of its beginning', () => {
  expect(redactText(String.raw`\u0041 secret %41 secret`, ['u0041 secret', '41 secret'])).toBe(
    String.raw`\[secret] %[secret]`,
  );
});

test('sees a short secret only where it is a word of its own', () => {
  expect(redactText('Content-Type: text; Bearer t', ['t'])).toBe('Content-Type: text; Bearer [secret]');
});

test('takes no part of an escape for a short secret', () => {
  const text = JSON.stringify({ a: '\t', b: 'x\n', c: '\\ t', d: 'n' });
  expect(redactText(text, ['t', 'n'])).toBe(
    String.raw`{"a":"\t","b":"x\n","c":"\\ [secret]","d":"[secret]"}`,
  );
  expect(redactText('/a%20%20b/20', ['20'])).toBe('/a%20%20b/[secret]');
});

test('changes nothing without secrets', () => {
  expect(redactText('Bearer token', [])).toBe('Bearer token');
  expect(redactText('Bearer token', [''])).toBe('Bearer token');
});

test('hides a secret whichever of its characters are encoded', () => {
  const secret = fc.string({ unit: 'grapheme', minLength: 6, maxLength: 20 });
  const ways: readonly ((character: string) => string)[] = [
    (character) => character,
    (character) => character,
    (character) =>
      [...new TextEncoder().encode(character)]
        .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
        .join(''),
    (character) =>
      [...new TextEncoder().encode(character)]
        .map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`)
        .join(''),
    (character) =>
      Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
        .map((unit) => String.raw`\u${unit.toString(16).padStart(4, '0')}`)
        .join(''),
    (character) => JSON.stringify(character).slice(1, -1),
    (character) => String.fromCharCode(...new TextEncoder().encode(character)),
  ];
  fc.assert(
    fc.property(secret, fc.infiniteStream(fc.nat(ways.length - 1)), (hidden, choices) => {
      const spelled = Array.from(hidden, (character) => ways[choices.next().value ?? 0]?.(character)).join(
        '',
      );
      expect(redactText(`?key=${spelled}&b=1`, [hidden])).toBe('?key=[secret]&b=1');
    }),
  );
  expect(redactText('?q=a+b+cdef', ['a b cdef'])).toBe('?q=[secret]');
  expect(redactText('?q=abcdef%25&b', ['abcdef%'])).toBe('?q=[secret]&b');
  expect(redactText(JSON.stringify('abcdef\\'), ['abcdef\\'])).toBe('"[secret]"');
});

test('marks nothing twice, whatever the secret', () => {
  for (const secret of ['secret', '[secret]', 'cret', ']']) {
    const once = redactText(`Bearer ${secret}; [secret]`, [secret]);
    expect([secret, once]).toEqual([secret, 'Bearer [secret]; [secret]']);
    expect(redactText(once, [secret])).toBe(once);
    expect(redactText(once, ['[secret]', secret])).toBe(once);
  }
});

const secret = 's3cr3t-token-of-mine';
const { text, bytes, headers } = createRedactor([secret]);
const encode = (plain: string, encoding: BufferEncoding): string => Buffer.from(plain).toString(encoding);

test('hides a secret in texts and in the values of fields', () => {
  expect(text(`a ${secret} b ${secret}`)).toBe('a [secret] b [secret]');
  expect(headers([['Authorization', `Bearer ${secret}`]])).toEqual([['Authorization', 'Bearer [secret]']]);
  expect(text('nothing of it')).toBe('nothing of it');
});

test.each(['', 'a', 'ab', 'user:', 'a\u{FFFF}'])('hides a secret in base64 behind %j', (before) => {
  for (const encoding of ['base64', 'base64url'] as const) {
    const shown = text(encode(`${before}${secret}&more`, encoding));
    expect(shown).toContain('[secret]');
    expect(Buffer.from(shown.replace('[secret]', ''), 'base64').toString('latin1')).not.toMatch(
      /s3cr3t|token|mine/u,
    );
  }
});

test('hides a secret among bytes that are no UTF-8, and keeps the others', () => {
  const hidden = bytes(Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from(secret), Buffer.from([0xfe])]));
  expect([...hidden]).toEqual([0xff, 0x00, ...Buffer.from('[secret]'), 0xfe]);
});

test('hides a secret that is added after the redactor was created', () => {
  const secrets = ['first-secret'];
  const grown = createRedactor(secrets);
  expect(grown.text('first-secret second-secret')).toBe('[secret] second-secret');
  secrets.push('second-secret');
  expect(grown.text('first-secret second-secret')).toBe('[secret] [secret]');
  expect(grown.headers([['Cookie', 'sid=second-secret']])).toEqual([['Cookie', 'sid=[secret]']]);
  expect(grown.text(encode('sid=second-secret', 'base64'))).toContain('[secret]');
});

test('does not look for the base64 of a short secret', () => {
  expect(createRedactor(['abcd']).text('YWJjZA==')).toBe('YWJjZA==');
});

test.each(
  (
    'Authorization Proxy-Authorization X-Api-Key api_key apikey x-auth-token X-Amz-Security-Token X-Amz-Signature ' +
    'X-Goog-Signature X-Hub-Signature-256 Ocp-Apim-Subscription-Key Private-Token cloche-control-token X-CSRF-Token token ' +
    'access_token accessToken ACCESS_TOKEN accesstoken refresh_token id_token client_secret clientSecret sig password newPassword ' +
    'password_confirmation user[password] passwd pwd X-Auth jwt sessionId code_verifier id_token_hint'
  ).split(' '),
)('knows a secret by the name %s', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each(
  (
    'pageToken next_page_token nextToken continuationToken X-Continuation-Token sync_token Idempotency-Key key sort_key Content-Type ' +
    'token_type max_tokens passwordResetAt secretary design author code state assertion'
  ).split(' '),
)('takes the name %s for no secret', (name) => {
  expect(isSecretName(name)).toBe(false);
});

test('takes a code beside a state or a grant type for that of an OAuth flow', () => {
  expect(isSecretName('code', new Set(['code', 'state']))).toBe(true);
  expect(isSecretName('code', new Set(['code', 'grant_type']))).toBe(true);
  expect(isSecretName('code', new Set(['code', 'iss']))).toBe(true);
  expect(isSecretName('assertion', new Set(['assertion', 'grant_type']))).toBe(true);
});
