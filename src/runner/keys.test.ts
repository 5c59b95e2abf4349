import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberKey, toJsonNumber } from '../json/exact-number.ts';
import { createKeyAllocator, keyText } from './keys.ts';

const slot = { slot: 0, class: 'plain', variant: 'itself' } as const;

test('gives each key once, within its range', () => {
  const allocator = createKeyAllocator([10, 59]);
  const keys = Array.from({ length: 50 }, () => allocator.next());
  expect(new Set(keys).size).toBe(50);
  expect([Math.min(...keys), Math.max(...keys)]).toEqual([10, 59]);
});

test('far keys stay in the range', () => {
  const allocator = createKeyAllocator([10, 59]);
  const keys = Array.from({ length: 20 }, () => allocator.nextFar());
  expect(keys.every((key) => key >= 10 && key <= 59)).toBe(true);
});

test('far keys have neither their parity nor a stride in common', () => {
  const allocator = createKeyAllocator([1, 1_000_000]);
  const keys = Array.from({ length: 40 }, () => allocator.nextFar());
  const strides = keys.slice(1).map((key, index) => key - (keys[index] ?? 0));
  expect(new Set(keys).size).toBe(40);
  expect(new Set(strides).size).toBe(39);
  const oddPairs = keys.filter((key, index) => index % 2 === 0 && (key + (keys[index + 1] ?? 0)) % 2 === 1);
  expect(oddPairs.length).toBeGreaterThan(3);
  expect(oddPairs.length).toBeLessThan(17);
});

test('different serials give different keys of every class, inside int64 but for those past it', () => {
  const serial = fc.integer({ min: 1, max: 2 ** 31 - 1 });
  const keyClass = fc.constantFrom(
    'plain',
    'negative',
    'past-int32',
    'past-double',
    'near-int64-max',
    'near-int64-min',
    'past-int64' as const,
  );
  fc.assert(
    fc.property(serial, serial, keyClass, (left, right, name) => {
      const [a, b] = [left, right].map((number) =>
        BigInt(keyText(number, { ...slot, class: name }, 'number')),
      );
      expect(a === b).toBe(left === right);
      expect(BigInt.asIntN(64, a ?? 0n) === a).toBe(name !== 'past-int64');
    }),
  );
});

test('a key that is a text of digits is written as the number that it is', () => {
  expect(keyText(7, slot, 'digits')).toBe('"7"');
});

test('twins are one double, or one int32', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), (serial) => {
      const big = keyText(serial, { ...slot, class: 'past-double' }, 'number');
      const twin = keyText(serial, { ...slot, class: 'past-double', variant: 'double-twin' }, 'number');
      expect(BigInt(big) - BigInt(twin)).toBe(1n);
      expect(Number(big)).toBe(Number(twin));
      const small = keyText(serial, slot, 'number');
      const wrapped = keyText(serial, { ...slot, variant: 'int32-twin' }, 'number');
      expect(Number(wrapped) - Number(small)).toBe(2 ** 32);
    }),
  );
});

test('the text of a number is the name that it goes by when it is read again', () => {
  const style = fc.record({
    slot: fc.constant(0),
    class: fc.constantFrom(
      ...(['plain', 'negative', 'past-int32', 'past-double', 'near-int64-min', 'past-int64'] as const),
    ),
    variant: fc.constantFrom(...(['itself', 'double-twin', 'int32-twin'] as const)),
  });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 2 ** 31 - 1 }), style, (serial, made) => {
      const text = keyText(serial, made, 'number');
      expect(numberKey(toJsonNumber(text))).toBe(text);
    }),
  );
});

test('a key that is a text has letters alone, and a UUID is one', () => {
  expect(keyText(17, slot, 'text')).toMatch(/^"key[a-z]+"$/u);
  expect(keyText(17, slot, 'uuid')).toMatch(
    /^"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}"$/u,
  );
});
