import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test, vi } from 'vitest';
import { readPattern } from './pattern.ts';

test.each([
  [String.raw`^(([a-z0-9-_ ]|[^\x00-\x7F])+.(json|yaml|yml))$`, `${'a'.repeat(100_000)}!`],
  // As it was published: the class is of anything but a few characters, so that letters fit both alternatives.
  [String.raw`(([a-z0-9-_ ]|[^\\x00-\\x7F])+.(json|yaml|yml))`, 'a'.repeat(100_000)],
  ['^(a+)+$', `${'a'.repeat(100_000)}b`],
  ['^(a|a)*$', `${'a'.repeat(100_000)}b`],
  [String.raw`\s+$`, `${' '.repeat(300_000)}x`],
  ['^a*a*a*$', `${'a'.repeat(100_000)}b`],
  [String.raw`^(?=.*\d)(?!.*--)([a-z]+-?)+$`, `${'a'.repeat(100_000)}!`],
  ['(x+x+)+y', 'x'.repeat(100_000)],
  // What begins or ends a match need be there no more often than it must.
  [String.raw`(a|b|-){1,1011}[\w/]#`, 'a-'.repeat(50_000)],
  ['^.{0,262144}$', 'a'.repeat(300_000)],
])('%s is over at once with a text that it nearly fits', (pattern, text) => {
  expect(readPattern(pattern)).toMatchObject({ longest: undefined });
  expect(readPattern(pattern).test(text)).toBe(false);
});

test.each([
  [String.raw`\S{1,8192}`, `${' '.repeat(9_000)}a`, ' '.repeat(9_000)],
  [String.raw`arn:aws(-[\w]+)*:[a-z0-9-]{0,63}:(\w|\/|-){1,1011}`, 'an arn:aws-cn::a/b', 'arn:aws-cn::'],
  [String.raw`(^$)|([!-~]{1,1023}/$)`, `${'a'.repeat(9_000)}/`, 'a'.repeat(9_000)],
  ['(?:a{2,}b*){3,9}', 'aaaaaa', 'aaaaa'],
])('%s asks for no more at its ends than has to be there', (pattern, fitting, other) => {
  const { test: judge, longest } = readPattern(pattern);
  expect([longest, judge(fitting), judge(other)]).toEqual([undefined, true, false]);
});

test('reads a pattern of tens of thousands of parts that all may be left out', () => {
  const { test: judge } = readPattern(`x${'a?'.repeat(20_000)}`);
  expect([judge('x'), judge('a')]).toEqual([true, false]);
});

test('takes no longer with a text that counts high than with another', () => {
  // Each of these was read in a thousand ways, which took a fifth of a second.
  const { test: judge, longest } = readPattern(String.raw`^(?:s3|gs)://\S{1,2000}$`);
  expect(longest).toBeUndefined();
  for (let more = 0; more < 300; more += 1) {
    expect(judge(`s3://${'a'.repeat(1_500 + more)}`)).toBe(true);
    expect(judge(`s3://${'a'.repeat(1_990 + more)}`)).toBe(more <= 10);
  }
});

test('judges what counts high in several places on texts of a thousand characters', () => {
  const { test: judge, longest } = readPattern('^(?:[a-z]{0,2048}[a-z0-9]{0,2048})$');
  expect(longest).toBe(1_000);
  expect([judge('a1'), judge('1a'), judge('1A')]).toEqual([true, true, false]);
  expect(judge(`A${'a'.repeat(1_000)}`)).toBe(true);
});

test('judges what no engine is quick with on short texts alone, and says so', () => {
  const twice = readPattern(String.raw`^(a+)+\1b$`);
  expect(twice.longest).toBe(16);
  expect(twice.test('aab')).toBe(true);
  expect(twice.test('ab')).toBe(false);
  expect(twice.test('a'.repeat(1_000))).toBe(true);
});

test.each([
  [String.raw`^[\w-]+$`, ['a-b', 'a b']],
  [String.raw`^a\-b+$`, ['a-bb', 'ab']],
  [String.raw`^\u00e9+é*$`, ['é', 'e']],
  [String.raw`^(\s|\u{1F600})+$`, [' ', '\ufeff', '\u0085', '😀', 'x']],
  ['^(.b?)+$', ['a', '\u2028', '\r', '😀']],
  [String.raw`^(?!-)(?!.*--)[a-z-]+[a-z]+$`, ['a-b', '-a', 'a--b', 'ab']],
  [String.raw`^(?=.*[A-Z])(?=.*\d).{2,}$`, ['A1', 'a1', 'AA', '1A?']],
  [String.raw`^(?!x)a+|x+b?$`, ['xb', 'a', 'zx']],
  [String.raw`(?<=a)b+c*$`, ['ab', 'b']],
  ['^[[a]+b*$', ['[a', 'b']],
  [String.raw`^(?<year>\d+)-\d+$`, ['2026-1', '-1']],
  [String.raw`^[^\S]+a*$`, [' ', 'b']],
])('%s reads texts as ECMAScript does', (pattern, texts) => {
  for (const text of texts) {
    expect([text, readPattern(pattern).test(text)]).toEqual([
      text,
      new RegExp(pattern, flagsOf(pattern)).test(text),
    ]);
  }
});

test.each([
  ['^(?:a|b)+c{2,1500}$', [2, 1_000, 1_001, 1_500], [1, 1_501]],
  [String.raw`^(?:a|b)+[^\s]{0,1023}(?<=c)$`, [1, 1_023], [0, 1_025]],
  ['^(?:a|b)+c{2100}$', [2_100], [1_100, 2_099, 2_101]],
])('%s is judged on long texts, though RE2 repeats nothing so often', (pattern, fitting, others) => {
  const { test: judge, longest } = readPattern(pattern);
  expect(longest).toBeUndefined();
  for (const count of fitting) expect(judge(`ab${'c'.repeat(count)}`)).toBe(true);
  for (const count of others) expect(judge(`ab${'c'.repeat(count)}`)).toBe(false);
});

function flagsOf(pattern: string): string {
  try {
    return new RegExp(pattern, 'u').flags;
  } catch {
    return '';
  }
}

test('compiles a pattern when the first text is judged, where its form is surely taken', () => {
  const compile = vi.spyOn(RE2JS, 'compile');
  const pattern = readPattern(String.raw`^(?:(?:Abel|Acme|[a-z-]+)(?:,\d{2,4})?)+$`);
  expect(compile).not.toHaveBeenCalled();
  expect([pattern.test('Abel,12'), pattern.test('Abel,1')]).toEqual([true, false]);
  expect(compile).toHaveBeenCalledTimes(1);
});

test('reads any pattern as ECMAScript does', () => {
  const atom = fc.constantFrom(
    'a',
    'b',
    '.',
    String.raw`\s`,
    String.raw`\S`,
    '[^a]',
    '[ab]',
    String.raw`\d`,
    String.raw`[^\s]`,
    '^',
    '$',
  );
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { depthSize: 'small' },
      atom,
      fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
      fc.tuple(tie('pattern'), tie('pattern')).map((parts) => `(${parts.join('|')})`),
      fc
        .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{1,3}', '{2}', '+?'))
        .map(([inner, often]) => `(?:${inner})${often}`),
      fc.tuple(tie('pattern'), tie('pattern')).map(([ahead, rest]) => `^(?=${ahead})${rest}`),
      fc.tuple(tie('pattern'), tie('pattern')).map(([ahead, rest]) => `^(?!${ahead})${rest}`),
    ),
  }));
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '1', ' ', '\n', '\u2028', 'é', '😀'),
    maxLength: 6,
  });
  fc.assert(
    fc.property(pattern, text, (source, value) => {
      const read = readPattern(source);
      fc.pre(read.longest === undefined || value.length <= read.longest);
      expect(read.test(value)).toBe(new RegExp(source, 'u').test(value));
    }),
    { numRuns: 3_000 },
  );
});

test('judges characters that are written by their codes as ECMAScript does', () => {
  const sources = [
    String.raw`^(?:[a-z\u00a1-\uffff0-9]+-?)*[a-z\u00a1-\uffff0-9]+$`,
    String.raw`^(?:\x41|\u0042|[\x2d\u005d-\u005f])*$`,
    String.raw`^(?:\ud83c\udf3f|a+)+$`,
    String.raw`^(?:[\ud83c\udf3e-\ud83c\udf40]{2}|[a-z]+)+$`,
    String.raw`^(?:\\ud83c|a+)+$`,
  ];
  const texts = [
    'naïve-café',
    'a--',
    'AB-]^_',
    'AB\\',
    'a\u{1f33f}a',
    '\u{1f33f}\u{1f340}',
    '\\ud83c',
    'a b',
    '',
  ];
  for (const source of sources) {
    for (const text of texts) {
      expect([source, text, readPattern(source).test(text)]).toEqual([
        source,
        text,
        new RegExp(source, 'u').test(text),
      ]);
    }
  }
});
