import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPattern } from './pattern.ts';
import { createTextDrawer, excludesCharacter, findText, shortestMatch } from './pattern-texts.ts';

test.each([
  [String.raw`^[\P{M}\p{M}]{1,5000}$`, 1, 5000],
  [String.raw`^\p{Lu}[^\]\w-]\S$`, 0, 3],
  ['^[0-9]+$', 5, 5],
  ['^[A-Z0-9]*$', 8, 11],
  [String.raw`^(?=.*[a-z])(?=.*[A-Z])(?=.*\d).+$`, 8, 64],
  ['[A-Z]{2}', 6, 12],
  ['^(red|green|blue)-[a-f0-9]{12}$', 0, 100],
  [String.raw`^(http|https)\://[a-z\-\.\@]+\-\\\:$`, 20, 40],
])('draws different texts of %s with %i to %i characters', (pattern, shortest, longest) => {
  const fits = (text: string): boolean =>
    [...text].length >= shortest && [...text].length <= longest && readPattern(pattern).test(text);
  const draw = createTextDrawer(pattern, { shortest, longest }, fits);
  const texts = Array.from({ length: 50 }, (_, number) => draw?.(number) ?? '');
  expect(texts.filter((text) => !fits(text))).toEqual([]);
  expect(new Set(texts).size).toBeGreaterThan(25);
  expect(draw?.(0)).toBe(texts[0]);
});

test('draws nothing where no text fits', () => {
  expect(createTextDrawer('^[a-z]{3}$', { shortest: 5, longest: Infinity }, () => false)).toBeUndefined();
});

test.each([
  ['', 0],
  ['abc', 3],
  [String.raw`^\d{4}-[A-Z]+\.x*y?$`, 7],
  ['(?:red|green|blue)-(?<n>1|22)', 5],
  [String.raw`\bword\b|\p{Lu}{2,}`, 2],
  ['^(?=.{10})(?!x)a(?<=a)$', 1],
  ['((a{1000}){1000}){1000}b', 1_000_000_001],
  [String.raw`[\](|){2}]{3}`, 3],
])('what %s matches has at least %i characters', (pattern, length) => {
  expect(shortestMatch(pattern)).toBe(length);
});

test('nothing that a pattern matches is shorter than it is said to be', () => {
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom('a', 'b', '[ab]', String.raw`\d`),
      fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `(?:${left}|${right})`),
      fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
      fc
        .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}?'))
        .map(([inner, times]) => `(${inner})${times}`),
    ),
  }));
  fc.assert(
    fc.property(pattern, (source) => {
      const texts = fc.sample(fc.stringMatching(new RegExp(`^(?:${source})$`, 'u'), { size: 'xsmall' }), {
        numRuns: 10,
        seed: 1,
      });
      expect(Math.min(...texts.map((text) => text.length))).toBeGreaterThanOrEqual(shortestMatch(source));
    }),
    { numRuns: 100 },
  );
});

const any = (): boolean => true;

test.each([
  ['^[A-Z]{3}-\\d{4}$', 0, 'ABC-1234'],
  ['^ord_[a-z]+$', 0, 'ord_a'],
  ['^ord_[a-z]+$', 8, 'ord_abcd'],
  ['^[a-z]{2,}-?[a-z]{0,3}$', 6, 'abcdef'],
  ['^(?:[0-9a-f]{2}:){2}[0-9a-f]{2}$', 0, 'ab:ab:ab'],
  ['^(?<quote>[\'"])a+\\k<quote>\\1$', 0, '"a""'],
  ['^(?:red|green)$', 0, 'red'],
  ['^[\\u0100-\\u0101]\\x41\\u{1F33F}$', 0, 'ĀA\u{1F33F}'],
  ['(a{1000}){1000}', 0, undefined],
])('the plainest text of %s, of %i characters or more, is %j', (pattern, shortest, text) => {
  expect(findText(pattern, shortest, any)).toBe(text);
});

test.each([
  // Passwords.
  '^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)(?=.*[^A-Za-z0-9]).{8,}$',
  '^(?=.*\\d)[a-z\\d]+$',
  '^$|^\\d{5}$',
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-5][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$',
  '^(?!aws:).+$',
])('finds a text of four characters or more for %s', (pattern) => {
  const expression = new RegExp(pattern, 'u');
  const text = findText(pattern, 4, (each) => each.length >= 4 && expression.test(each));
  expect(text).toMatch(expression);
});

test('tries no text twice, and few in all', () => {
  const tried: string[] = [];
  expect(findText('^(a|b|c|d)+[x-z]*[0-9]{0,9}$', 3, (text) => tried.push(text) < 0)).toBeUndefined();
  expect(new Set(tried).size).toBe(tried.length);
  expect(tried.length).toBeLessThan(50);
});

test.each<[string, boolean]>([
  ['^[A-Z]{1,3}$', true],
  [String.raw`^\((?:a|b)\)\d+$`, true],
  [String.raw`^(?=[a-z])\w*?$`, true],
  ['^[+--]$', false],
  [String.raw`^\x2c$`, false],
  [String.raw`^a\W$`, false],
  ['^.$', false],
  ['^a(?:,b)*$', false],
  ['^a|b$', false],
  ['^a', false],
  ['a$', false],
])('says of %s that no text with a comma matches: %j', (pattern, excludes) => {
  expect(excludesCharacter(pattern, ',')).toBe(excludes);
});
