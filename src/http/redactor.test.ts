import { expect, test } from 'vitest';
import { createRedactor } from './redactor.ts';

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

test('does not look for the base64 of a short secret', () => {
  expect(createRedactor(['abcd']).text('YWJjZA==')).toBe('YWJjZA==');
});
