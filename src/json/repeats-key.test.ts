import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repeatsKey } from './parse.ts';

test.each([
  '{"a":1,"a":1}',
  '[{"b":{"a":1,"\\u0061":2}}]',
  '{"__proto__":1,"__proto__":2}',
  '{ "a" : "x:y" , "b" : { } , "b" : [ ] }',
  '{"a\\\\":1,"a\\\\":2}',
])('sees that %s names a key twice', (text) => {
  expect(repeatsKey(text, JSON.parse(text))).toBe(true);
});

test.each([
  '{"a":1,"b":1}',
  '[{"a":1},{"a":1}]',
  '"a:b"',
  '{"a:":":","b\\":":"\\\\"}',
  '{"":{"":{}}}',
  '[]',
  '1',
])('sees that %s names each key once', (text) => {
  expect(repeatsKey(text, JSON.parse(text))).toBe(false);
});

test('sees no repeated key in what JSON.stringify wrote', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      expect(repeatsKey(text, JSON.parse(text))).toBe(false);
    }),
  );
});

test('takes an array of more items than a call takes arguments', () => {
  const text = `[${'1,'.repeat(300_000)}{"a":1}]`;
  expect(repeatsKey(text, JSON.parse(text))).toBe(false);
});

test('takes a text that is nested as deep as it is long', () => {
  const text = `${'['.repeat(100_000)}{"a":1}${']'.repeat(100_000)}`;
  expect(repeatsKey(text, JSON.parse(text))).toBe(false);
});
