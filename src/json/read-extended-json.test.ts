import { expect, test } from 'vitest';
import { readExtendedJson } from './parse.ts';

test.each([
  ['{"a":1} // more', 'comments or trailing commas'],
  ['{"a":1,}', 'comments or trailing commas'],
  ["{'a':1}", 'JSON5'],
  ['{a:1}', 'JSON5'],
  ['{"a":1}}', 'text after the value'],
  ['{"a":1} {"a":1}', 'text after the value'],
  ['{"a":1}x', 'text after the value'],
])('reads %s as a lenient parser would: %s', (text, extension) => {
  expect(readExtendedJson(text)).toEqual({ value: { a: 1 }, extension });
});

test('reads raw control characters in strings', () => {
  expect(readExtendedJson('{"a":"\t"}')).toEqual({ value: { a: '\t' }, extension: 'raw control characters' });
});

test.each(['{"a":"x\\', "{'a\\", '{"a":1', '{"a"}', '', '{"a":1]', '{"a":"\\x"}', '"abc'])(
  'makes nothing of %j',
  (text) => {
    expect(readExtendedJson(text)).toBeUndefined();
  },
);

test('says when a word or a string has text behind it', () => {
  expect(readExtendedJson('true false')).toMatchObject({ value: true });
  expect(readExtendedJson('"a" "b"')).toMatchObject({ value: 'a' });
});

test('is quick on a long text', () => {
  expect(readExtendedJson(`{"a":"${'x'.repeat(200_000)}`)).toBeUndefined();
});
