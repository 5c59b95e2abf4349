import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExactNumber } from './exact-number.ts';
import { parseJson } from './parse.ts';
import { stringifyJson } from './print.ts';

function read(text: string, reading = {}): ReturnType<typeof parseJson> & { kind: 'json' } {
  const result = parseJson(text, reading);
  if (result.kind !== 'json') throw new Error(`${text}: ${result.reason}`);
  return result;
}

test.each(['9007199254740993', '1.0', '1e2', '-0', '-9223372036854775809', '0.10', '1E400'])(
  'keeps the number %s as it was written',
  (text) => {
    const { value, exact } = read(`{"a":[${text}]}`);
    expect(exact).toBe(true);
    expect(stringifyJson(value)).toBe(`{"a":[${text}]}`);
  },
);

test.each(['0', '-1', '9007199254740991', '0.5', '123456789012345'])(
  'gives a plain number for %s',
  (text) => {
    expect(read(text)).toMatchObject({ value: Number(text), exact: false });
  },
);

test('reads any JSON value as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const { value } = read(text, { findDuplicateKeys: true });
      expect(JSON.parse(stringifyJson(value))).toEqual(JSON.parse(text));
    }),
  );
});

test('sees a key that stands twice, even with equal values', () => {
  const text = '{"a":{"id":1,"id":1},"id":2,"id":3}';
  expect(read(text, { findDuplicateKeys: true }).duplicateKeys).toEqual(['/a/id', '/id']);
  expect(read(text).value).toEqual({ a: { id: 1 }, id: 3 });
  expect(read(text, { duplicateKey: 'first' }).value).toEqual({ a: { id: 1 }, id: 2 });
});

test('takes __proto__ for a key like any other', () => {
  for (const text of ['{"__proto__":{"x":1}}', '{"__proto__":{"x":1.0}}']) {
    const { value } = read(text);
    expect(Object.keys(Object(value))).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(stringifyJson(value)).toBe(text);
  }
});

test.each([
  ['{"a":1,}', '"}" stands where none may', 1, 8],
  ['{\n  "a" 1}', 'a number stands where none may', 2, 7],
  ['{"a":"\u0001"}', 'a control character stands unescaped in a string', 1, 7],
  ['', 'the text ends too early', 1, 1],
  ['{"a":1', 'the text ends too early', 1, 7],
  ["{'a':1}", 'unexpected character "\'"', 1, 2],
  ['\uFEFF{}', 'unexpected character "\uFEFF"', 1, 1],
])('says of %j that %s', (text, reason, line, column) => {
  expect(parseJson(text)).toEqual({ kind: 'syntax', reason, line, column });
});

test('refuses a text nested past the limit without exhausting the stack', () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  expect(parseJson(deep)).toMatchObject({ kind: 'syntax', reason: 'it is nested deeper than 512 levels' });
  expect(parseJson('['.repeat(512) + '1.0' + ']'.repeat(512)).kind).toBe('json');
  expect(parseJson(`"${'['.repeat(600)}"`).kind).toBe('json');
});

test('JSON.stringify on an exact number throws instead of losing digits', () => {
  expect(() => JSON.stringify(new ExactNumber('1.0'))).toThrow('use stringifyJson');
});

test('gives no reason where none is asked for', () => {
  expect(parseJson('{"a":', { explains: false })).toMatchObject({ kind: 'syntax', reason: 'it is no JSON' });
  expect(parseJson('{"a":1}', { explains: false })).toEqual(parseJson('{"a":1}'));
});
