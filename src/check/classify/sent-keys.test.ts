import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExactNumber, numberKey } from '../../json/exact-number.ts';
import { createSentKeys, type KeyMemory, rememberKey, roundedKeys } from './sent-keys.ts';

test('knows a key again, and forgets it when many others were sent since', () => {
  const keys = createSentKeys();
  expect(keys.has('/things 1')).toBe(false);
  keys.add('/things 1');
  for (let key = 2; key <= 20_000; key += 1) {
    keys.add(`/things ${key}`);
  }
  expect(keys.has('/things 1')).toBe(true);
  for (let key = 20_001; key <= 40_000; key += 1) {
    keys.add(`/things ${key}`);
  }
  expect([keys.has('/things 1'), keys.has('/things 20001'), keys.has('/things 40000')]).toEqual([
    false,
    true,
    true,
  ]);
});

type Key = string | number | ExactNumber;

function rememberAll(keys: readonly Key[]): readonly KeyMemory[] {
  const sentKeys = createSentKeys();
  return keys.map((key) => rememberKey({ sentKeys, place: '/p', key }));
}

/** The same, with every name of every key written down. */
function compareAll(keys: readonly (number | ExactNumber)[]): readonly KeyMemory[] {
  const exact = new Set<string>();
  const rounded = new Set<string>();
  return keys.map((key) => {
    const memory = exact.has(numberKey(key))
      ? 'sent'
      : roundedKeys(key).some((name) => rounded.has(name))
        ? 'colliding'
        : 'fresh';
    exact.add(numberKey(key));
    roundedKeys(key).forEach((name) => rounded.add(name));
    return memory;
  });
}

test.each([
  [
    [7, 7],
    ['fresh', 'sent'],
  ],
  [
    [7, 7 + 2 ** 32],
    ['fresh', 'colliding'],
  ],
  [
    [7 + 2 ** 32, 7],
    ['fresh', 'colliding'],
  ],
  [
    [2 ** 53, new ExactNumber('9007199254740993')],
    ['fresh', 'colliding'],
  ],
  [
    [new ExactNumber('9007199254740993'), 2 ** 53],
    ['fresh', 'colliding'],
  ],
  [
    [new ExactNumber('1.0'), 1],
    ['fresh', 'sent'],
  ],
  [
    ['7', 7, '7'],
    ['fresh', 'fresh', 'sent'],
  ],
  [
    ['key', 'Key', 'Key', 'KEY'],
    ['fresh', 'colliding', 'sent', 'colliding'],
  ],
])('knows %s', (keys: readonly Key[], memories) => {
  expect(rememberAll(keys)).toEqual(memories);
});

test('keeps the keys of two places apart', () => {
  const sentKeys = createSentKeys();
  rememberKey({ sentKeys, place: '/p', key: 7 });
  expect(rememberKey({ sentKeys, place: '/q', key: 7 })).toBe('fresh');
});

test('knows what it would know with every rounding of every key written down', () => {
  const near = fc.constantFrom(0n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n);
  const integer = fc
    .tuple(near, fc.bigInt(-4n, 4n), fc.boolean())
    .map(([base, step, isNegative]) => (isNegative ? -base : base) + step)
    .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : new ExactNumber(String(value))));
  fc.assert(
    fc.property(fc.array(integer, { maxLength: 12 }), (keys) => {
      expect(rememberAll(keys)).toEqual(compareAll(keys));
    }),
  );
});

test('gives keys that a double cannot tell apart one text in common', () => {
  const [one, other] = ['9007199254740993', '9007199254740992'].map((text) =>
    roundedKeys(new ExactNumber(text)),
  );
  expect(one?.[0]).toBe(other?.[0]);
  expect(one?.[1]).not.toBe(other?.[1]);
});

test('gives keys that 32 bits cannot tell apart one text in common', () => {
  const [one, other] = [7, 7 + 2 ** 32].map((key) => roundedKeys(key));
  expect(one?.[0]).not.toBe(other?.[0]);
  expect(one?.[1]).toBe(other?.[1]);
});

test.each(['1.5', '1e400'])('gives none for %s, which is the key of nothing', (text) => {
  expect(roundedKeys(new ExactNumber(text))).toEqual([]);
});
