import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExactNumber } from './exact-number.ts';
import { parseJson, readExtendedJson, repeatsKey, toSyntaxProblem } from './parse.ts';
import { mayLoseDigits, readExactly } from './read-exactly.ts';
import { stringifyJson } from './print.ts';

function explain(text: string): unknown {
  try {
    JSON.parse(text);
  } catch (error) {
    return toSyntaxProblem(text, error);
  }
  return 'JSON';
}

const whole = '{"id": 4,\n "name": "a\\n\\u00e4", "tags": [true, null, -1.5e3, {}, [], "b"]}';

test.each(Array.from({ length: whole.length }, (_, length) => whole.slice(0, length)))(
  'says of %j that it ends too early, and where',
  (text) => {
    const lines = text.split('\n');
    expect(explain(text)).toEqual({
      kind: 'syntax',
      reason: 'the text ends too early',
      line: lines.length,
      column: (lines.at(-1)?.length ?? 0) + 1,
    });
  },
);

test.each([
  ['{"id":4,}', '"}" stands where none may', 1, 9],
  ['[1 2', 'a number stands where none may', 1, 4],
  ['{"a" 1', 'a number stands where none may', 1, 6],
  ['[1,\n  }', '"}" stands where none may', 2, 3],
  ['[true,\ntru]', 'unexpected identifier "tru"', 2, 1],
  ['[trx', 'unexpected identifier "trx"', 1, 2],
  ['{"a":01}', 'unexpected character "1"', 1, 7],
  ['[-x]', 'unexpected character "x"', 1, 3],
  [String.raw`["\x"]`, 'unexpected character "x"', 1, 4],
  ['{"a":1} x', 'unexpected character "x"', 1, 9],
  ['["a\nb"]', 'a control character stands unescaped in a string', 1, 4],
])('says of %j that %s', (text, reason, line, column) => {
  expect(explain(text)).toEqual({ kind: 'syntax', reason, line, column });
});

test.each([
  '9007199254740993',
  '{"a":[1,-1234567890123456]}',
  '{"a":1.5}',
  '[1e2]',
  '[1E2]',
  '-0',
  '{"a":"x","b":[-0]}',
  '{"a\\"":1.0}',
  '{"a\\\\":1.0}',
  '["1.5",1.5]',
])('says of %s that digits may be lost', (text) => {
  expect(mayLoseDigits(text)).toBe(true);
});

test.each([
  '{"id":123456789012345,"name":"9007199254740993"}',
  '["1.5","1e2","-0"]',
  '{"1.5":true,"-0":false}',
  '["\\"1.5\\"","\\\\",1]',
  '[-1,true,false,null]',
  '""',
])('says of %s that none is lost', (text) => {
  expect(mayLoseDigits(text)).toBe(false);
});

test('says that none is lost only where the exact reader keeps no number either', () => {
  const number = fc.oneof(
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.constantFrom('-0', '0', '1.0', '1e2', '-1E-2', '"1.5"', '"-0"', 'true', 'null'),
    fc
      .string({ unit: fc.constantFrom('"', '\\', '1', '.', 'e', '-', '0') })
      .map((text) => JSON.stringify(text)),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ maxLength: 3 }), number)), (members) => {
      const inner = members.map(([name, value]) => `${JSON.stringify(name)}:[${value}]`);
      const text = `{${inner.join(',')}}`;
      expect(readExactly(text, 'last').exact && !mayLoseDigits(text)).toBe(false);
    }),
    { numRuns: 500 },
  );
});

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

test('reads number for number what JSON.parse reads, blanks and escapes included', () => {
  const key = fc.string({ unit: 'binary', maxLength: 4 });
  const { value: anything } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(null, true, false, '\\', '"', '\\\\"'),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(anything, fc.constantFrom('', ' ', '\t\r\n'), (value, blank) => {
      const written = JSON.stringify(value, undefined, blank);
      const text = `${blank}${written.replaceAll(/(?<=[[{])\s*(?=[\]}])/gu, blank)}${blank}`;
      const read = readExactly(text, 'last');
      expect(JSON.parse(stringifyJson(read.value))).toEqual(JSON.parse(text));
      expect(read.duplicateKeys).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

test('names a key that stands twice by its place', () => {
  const text = String.raw`[0,{"a/b":[{},{"~":1,"\u007e":2.0}]}]`;
  expect(readExactly(text, 'first')).toMatchObject({
    value: [0, { 'a/b': [{}, { '~': 1 }] }],
    duplicateKeys: ['/1/a~1b/1/~0'],
  });
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

test.each([
  ['}', 'unexpected character "}"', 1],
  ['x]', 'unexpected character "x"', 1],
  ['1', 'the text ends too early', 2],
  ['{"a":1,}]', 'unexpected character "}"', 8],
  ['{"a" 1}]', 'unexpected character "1"', 6],
  ['{1:2}]', 'unexpected character "1"', 2],
  ['1 2]', 'unexpected character "2"', 3],
  ['"\u0001"]', 'unexpected character """', 1],
  ['"a', 'the text ends too early', 3],
  ['"]"]]', 'unexpected character "]"', 5],
  ['[1},', 'unexpected character "}"', 3],
])('says where a long text that ends with %j is broken', (end, reason, column) => {
  const start = `[${'{"a":[-1.5e3,null,"]"]},'.repeat(4_000)}\n`;
  expect(parseJson(start + end)).toEqual({ kind: 'syntax', reason, line: 2, column });
});

test.each([
  'nulx]',
  'truex]',
  'fa',
  '-x]',
  '01]',
  '1.]',
  '1e+]',
  '}',
  '{"a":1,}]',
  '{"a" 1}]',
  '1 2]',
  ']]',
  '"a',
])('finds the same place in a long text as in a short one that ends with %j', (end) => {
  const short = parseJson(`[1,\n${end}`);
  const long = parseJson(`[${'1,'.repeat(40_000)}\n${end}`);
  const placeOf = (read: typeof short): unknown =>
    read.kind === 'syntax' ? [read.line, read.column] : read.kind;
  expect(placeOf(long)).toEqual(placeOf(short));
});
