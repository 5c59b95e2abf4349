import { expect, test } from 'vitest';
import { toJsonNumber } from '../json/exact-number.ts';
import { type Boundary, breaksBoundary } from './boundary.ts';

const place = '/name';
const ofBytes: Boundary = { what: 'length', place, unit: 'bytes', accepted: 4, refused: 5 };
const ofUnits: Boundary = { what: 'length', place, unit: 'utf-16', accepted: 1, refused: 2 };
const least: Boundary = { what: 'length', place, unit: 'unknown', accepted: 2, refused: 1 };
const above: Boundary = { what: 'value', place, accepted: '9007199254740992', refused: '9007199254740993' };
const below: Boundary = { what: 'value', place, accepted: '1', refused: '0' };
const items: Boundary = { what: 'items', place, accepted: 1, refused: 2 };
const markup: Boundary = { what: 'characters', place, classes: [], refused: ['<'], accepted: ';' };
const controls: Boundary = { ...markup, classes: ['controls'], refused: ['\n'] };
const word: Boundary = { ...markup, but: ['0', '7', '-'] };

test.each([
  [ofBytes, 'aaaa', false],
  [ofBytes, 'éé é', true],
  [ofUnits, '😀', true],
  [least, 'a', true],
  [least, 'aa', false],
  [above, toJsonNumber('9007199254740992'), false],
  [above, toJsonNumber('9007199254740993'), true],
  [below, toJsonNumber('0.5'), false],
  [below, -7, true],
  [below, '0', false],
  [items, [1, 2, 3], true],
  [markup, 'a<b', true],
  [markup, 'a>b', false],
  [controls, '\u0007', true],
  [word, 'a-19', false],
  [word, 'A', true],
])('row %# says which side of a boundary a value is on', (boundary, value, expected) => {
  expect(breaksBoundary(value, boundary)).toBe(expected);
});
