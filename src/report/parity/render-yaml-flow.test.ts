import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { renderYamlFlow } from '../text/format.ts';

test.each([
  ['conflict', 'conflict'],
  ['yes', '"yes"'],
  [{ status: 403, body: 'empty' }, '{ status: 403, body: empty }'],
  [{ name: { maxLength: 255, pattern: '^\\S' } }, '{ name: { maxLength: 255, pattern: "^\\\\S" } }'],
  [['name', 'a b'], '[name, "a b"]'],
  [{}, '{}'],
])('writes %j as %s, which reads as the same', (value, text) => {
  expect(renderYamlFlow(value)).toBe(text);
  expect(parse(text, { version: '1.1' })).toEqual(value);
});
