import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactText } from './redact.ts';

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
});

test('marks nothing twice, whatever the secret', () => {
  for (const secret of ['secret', '[secret]', 'cret', ']']) {
    const once = redactText(`Bearer ${secret}; [secret]`, [secret]);
    expect([secret, once]).toEqual([secret, 'Bearer [secret]; [secret]']);
    expect(redactText(once, [secret])).toBe(once);
    expect(redactText(once, ['[secret]', secret])).toBe(once);
  }
});
