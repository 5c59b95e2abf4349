import { expect, test } from 'vitest';
import { declaredNames } from '../../schema/properties.ts';

test('finds the properties of every branch', () => {
  const names = declaredNames({
    properties: { a: true },
    allOf: [{ $ref: '#/$defs/more' }],
    oneOf: [{ properties: { c: true } }, { else: { properties: { d: true } } }],
    $defs: { more: { properties: { b: true } } },
  });
  expect([...(names ?? [])].toSorted()).toEqual(['a', 'b', 'c', 'd']);
});

test.each([
  [true],
  [{}],
  [{ type: 'object' }],
  [{ properties: { a: true }, additionalProperties: { type: 'string' } }],
  [{ properties: { a: true }, patternProperties: { '^x-': true } }],
])('finds that %j declares no closed list', (schema) => {
  expect(declaredNames(schema)).toBeUndefined();
});
