import { expect, test } from 'vitest';
import { redactCredentials } from './redact-credentials.ts';
import { redactText } from './redact-text.ts';

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

test('sees a short secret only where it is a word of its own', () => {
  expect(redactText('Content-Type: text; Bearer t', ['t'])).toBe('Content-Type: text; Bearer [secret]');
});

test('changes nothing without secrets', () => {
  expect(redactText('Bearer token', [])).toBe('Bearer token');
  expect(redactText('Bearer token', [''])).toBe('Bearer token');
});

test('hides secrets in the values of fields alone', () => {
  expect(
    redactCredentials(
      [
        ['Authorization', 'Bearer abcdefgh'],
        ['Accept', '*/*'],
      ],
      ['abcdefgh'],
    ),
  ).toEqual([
    ['Authorization', 'Bearer [secret]'],
    ['Accept', '*/*'],
  ]);
});
