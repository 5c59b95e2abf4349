import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyStyle } from '../arbitrary/key-style.ts';
import { numberKey, toJsonNumber } from '../json/exact-number.ts';
import { createKeyAllocator, keyText, serialOf } from './keys.ts';

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
      const twin = keyText(serial, { ...slot, class: 'past-double', variant: 'double-collision' }, 'number');
      expect(BigInt(big) - BigInt(twin)).toBe(1n);
      expect(Number(big)).toBe(Number(twin));
      const small = keyText(serial, slot, 'number');
      const wrapped = keyText(serial, { ...slot, variant: 'int32-collision' }, 'number');
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
    variant: fc.constantFrom(...(['itself', 'double-collision', 'int32-collision'] as const)),
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

test.each([
  [{ type: 'string', pattern: '^[A-Z]{2}-[0-9]{3}$' }, /^"[A-Z]{2}-\d{3}"$/u],
  [{ type: 'string', minLength: 20, maxLength: 40 }, /^"[A-Za-z]{20,40}"$/u],
  [{ type: 'string', format: 'ipv4' }, /^"192\.0\.2\.\d+"$/u],
])('the ids of %o fit it, and each number has one of its own', (schema, form) => {
  const style = propertyStyle({ type: 'object', properties: { id: schema } }, 'id');
  const ids = Array.from({ length: 50 }, (_, serial) => keyText(serial + 1, slot, style));
  expect(ids.filter((id) => !form.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(50);
  expect(keyText(7, slot, style)).toBe(ids[6]);
});

test('ids of a listed value are those of the list', () => {
  const schema = { type: 'string', enum: ['red', 'green'] };
  const style = propertyStyle({ type: 'object', properties: { id: schema } }, 'id');
  expect([1, 2, 3].map((serial) => keyText(serial, slot, style))).toEqual(['"green"', '"red"', '"green"']);
});

test('spells keys in unusual ways, with the letters of the plain one', () => {
  const spellings = ['capital', 'spaced', 'slashed', 'dotted', 'accented'] as const;
  expect(keyText(17, slot, 'text')).toBe('"keyaaaabi"');
  expect(spellings.map((spelling) => keyText(17, { ...slot, spelling }, 'text'))).toEqual([
    '"Keyaaaabi"',
    '"key+ aaaabi"',
    '"key/aaaabi"',
    '".key%41aaaabi"',
    '"keyé日aaaabi"',
  ]);
});

test('takes a serial number from the last context above for an id that differs from its id', () => {
  const above = { serial: () => 17 };
  const keys = { above: [{ serial: () => 1 }, above], serial: () => 2 };
  expect(serialOf(keys, slot)).toBe(2);
  expect(serialOf(keys, { ...slot, isOfAbove: true })).toBe(17);
  expect(serialOf(above, { ...slot, isOfAbove: true })).toBe(17);
});
