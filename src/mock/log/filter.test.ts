import { expect, test } from 'vitest';
import { parseJson } from '../../json/parse.ts';
import type { JsonValue } from '../../json/value.ts';
import { findJsonDifference } from './filter.ts';

function read(text: string): JsonValue {
  const parsed = parseJson(text);
  if (parsed.kind !== 'json') throw new Error(text);
  return parsed.value;
}

test.each([
  ['{"a":1,"b":2}', '{"a":1.0}', undefined],
  ['{"a":{"b":[1,{"c":2}],"d":0}}', '{"a":{"b":[1,{"c":2}]}}', undefined],
  ['{"a":[{"b":1,"c":2},{"b":3}]}', '{"a":[{"c":2},{}]}', undefined],
  ['{"a":[{"b":1},{"b":3}]}', '{"a":[{"b":1},{"b":2}]}', '/a/1/b'],
  ['{}', '{}', undefined],
  ['[]', '{}', ''],
  ['{"a":[1,2]}', '{"a":[1]}', '/a'],
  ['{"a/b":{"c":"x"}}', '{"a/b":{"c":"y"}}', '/a~1b/c'],
  ['{"a":null}', '{"b":null}', '/b'],
  ['{"a":9007199254740993}', '{"a":9007199254740992}', '/a'],
  ['{"a":1}', '{"constructor":{}}', '/constructor'],
  ['{"a":1}', '{"__proto__":1}', '/__proto__'],
])('tells whether %s holds %s', (actual, expected, pointer) => {
  expect(findJsonDifference(read(actual), read(expected))?.pointer).toBe(pointer);
});
