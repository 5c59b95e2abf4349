import { expect, test } from 'vitest';
import { latin1Text, textBytes } from './bytes.ts';

test('has every byte as the character of its number, and back', () => {
  const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => index % 256);
  const text = latin1Text(bytes);
  expect([text.length, text.charCodeAt(0x80), text.charCodeAt(19_999)]).toEqual([20_000, 0x80, 19_999 % 256]);
  expect(textBytes(text)).toEqual(bytes);
});

test('a text that is wider becomes UTF-8', () => {
  expect([...textBytes('é€')]).toEqual([0xc3, 0xa9, 0xe2, 0x82, 0xac]);
  expect([...textBytes('é')]).toEqual([0xe9]);
});
