import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mayLoseDigits, readExactly } from './parse.ts';

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
