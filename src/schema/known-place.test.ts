import { expect, test } from 'vitest';
import { createKnownPlace, holdsKnownValue, type KnownPlace, unknownPlace } from './known-place.ts';

const valuesAt = (place: KnownPlace, ...tokens: readonly string[]) =>
  tokens.reduce((at, token) => at.below(token), place).values.flat();

test('finds the values of a name at any depth, and of the items of its array', () => {
  const place = createKnownPlace({ names: new Map([['tag', [['a']]]]) });
  expect(valuesAt(place, 'tag')).toEqual(['a']);
  expect(valuesAt(place, 'lines', '*', 'tag')).toEqual(['a']);
  expect(valuesAt(place, 'tag', '0')).toEqual(['a']);
  expect(valuesAt(place, 'tag', 'name')).toEqual([]);
  expect(valuesAt(place, 'lines', '0')).toEqual([]);
});

test('finds the values of a pointer, in which * is any item', () => {
  const place = createKnownPlace({
    names: new Map([['sku', [['name']]]]),
    pointers: new Map([
      ['/lines/0/sku', [['first']]],
      ['/lines/*/sku', [['any']]],
      ['/sku', []],
    ]),
  });
  expect(valuesAt(place, 'lines', '0', 'sku')).toEqual(['first']);
  expect(valuesAt(place, 'lines', '1', 'sku')).toEqual(['any']);
  expect(valuesAt(place, 'lines', '*', 'sku')).toEqual(['any']);
  expect(valuesAt(place, 'other', 'sku')).toEqual(['name']);
  expect(valuesAt(place, 'sku')).toEqual([]);
});

test('gives places with the same values one key, however deep they are', () => {
  const place = createKnownPlace({ names: new Map([['id', [[1]]]]) });
  expect(place.below('a').below('b').key).toBe(place.key);
  expect(place.below('id').key).not.toBe(place.key);
  expect(createKnownPlace({ names: new Map() })).toBe(unknownPlace);
});

test('tells known values at a place of a value from others', () => {
  const known = createKnownPlace({ names: new Map([['id', [[17, '17']]]]) });
  expect(holdsKnownValue({ known }, { id: 17 }, '/id')).toBe(true);
  expect(holdsKnownValue({ known }, { id: '17' }, '/id')).toBe(true);
  expect(holdsKnownValue({ known }, { id: 19 }, '/id')).toBe(false);
  expect(holdsKnownValue({ known }, {}, '/id')).toBe(false);
  expect(holdsKnownValue(undefined, { id: 17 }, '/id')).toBe(false);
});
