import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareNumbers, ExactNumber, isInteger, isMultipleOf, numberKey } from './exact-number.ts';
import { jsonEqual } from './value.ts';

const exact = (text: string): ExactNumber => new ExactNumber(text);

test('1, 1.0 and 1e0 are one key, and neighbours past 2^53 are two', () => {
  expect(
    new Set([numberKey(1), numberKey(exact('1.0')), numberKey(exact('1e0')), numberKey(exact('10e-1'))]).size,
  ).toBe(1);
  expect(numberKey(exact('9007199254740992'))).not.toBe(numberKey(exact('9007199254740993')));
  expect(numberKey(9007199254740992)).toBe(numberKey(exact('9007199254740992')));
  expect(numberKey(exact('1e19'))).toBe(numberKey(1e19));
  expect(numberKey(exact('1e21'))).toBe(numberKey(1e21));
  expect(numberKey(exact('-0'))).toBe(numberKey(0));
  expect(numberKey(-0)).toBe('0');
});

test('says 0, not -0, of two equal negative numbers', () => {
  expect(compareNumbers(exact('-74'), exact('-74.0'))).toBe(0);
});

test('compares bigints as BigInt does', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt(), (a, b) => {
      expect(Math.sign(compareNumbers(exact(String(a)), exact(String(b))))).toBe(a < b ? -1 : a > b ? 1 : 0);
      expect(numberKey(exact(String(a))) === numberKey(exact(String(b)))).toBe(a === b);
    }),
  );
});

test('compares doubles as < does, whatever the notation', () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(finite, finite, (a, b) => {
      expect(Math.sign(compareNumbers(exact(a.toExponential()), b))).toBe(
        Math.sign(a === b ? 0 : a < b ? -1 : 1),
      );
    }),
  );
});

test('does not write out an enormous exponent', () => {
  expect(compareNumbers(exact('1e999999999999999999999'), exact('2e999999999'))).toBeGreaterThan(0);
  expect(compareNumbers(exact('-1e999999999'), 5)).toBeLessThan(0);
  expect(isMultipleOf(exact('1e999999999999999999999'), 7)).toBe(false);
  expect(isInteger(exact('1e-999999999'))).toBe(false);
});

test('knows integers and multiples by value', () => {
  expect([exact('1.0'), exact('1e2'), exact('9223372036854775808'), 5].every(isInteger)).toBe(true);
  expect([exact('1.5'), exact('1e-2'), 0.5].some(isInteger)).toBe(false);
  expect(isMultipleOf(0.3, 0.1)).toBe(true);
  expect(isMultipleOf(exact('9007199254740993'), 2)).toBe(false);
  expect(isMultipleOf(10, exact('2.50'))).toBe(true);
  expect(isMultipleOf(0.35, 0.1)).toBe(false);
});

test('equality is by value for numbers and blind to the order of keys', () => {
  expect(jsonEqual({ a: 1, b: [exact('2.0')] }, { b: [2], a: exact('1e0') })).toBe(true);
  expect(jsonEqual({ a: 1 }, { a: 1, b: 2 })).toBe(false);
  expect(jsonEqual('1', 1)).toBe(false);
  expect(jsonEqual([], {})).toBe(false);
  expect(jsonEqual(null, {})).toBe(false);
});

test('takes no more time for a number of a million digits than to read it', () => {
  // Made of all of them, an integer took half a minute; a test that waits for it never ends in time.
  for (const digits of ['7'.repeat(4_000_000), `1${'0'.repeat(4_000_000)}1`]) {
    const long = exact(digits);
    const longer = exact(`${digits.slice(0, -1)}9`);
    expect(compareNumbers(long, 9)).toBeGreaterThan(0);
    expect(compareNumbers(exact(`-${digits}`), long)).toBeLessThan(0);
    expect(compareNumbers(long, longer)).toBeLessThan(0);
    expect([isInteger(long), isMultipleOf(long, 7)]).toEqual([true, digits.startsWith('7')]);
    expect(numberKey(long)).not.toBe(numberKey(longer));
  }
});
