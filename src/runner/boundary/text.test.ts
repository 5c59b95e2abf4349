import { expect, test } from 'vitest';
import { createTextBoundarySearch } from '../../../fixtures/create-text-prober.ts';
import { renderBoundary } from '../../report/view/boundary.ts';
import { findCharacterBoundaries, findGreatestLength, findLeastLength } from './text.ts';

test.each([
  [/^[^\0]*$/u, ['name with NUL']],
  [/^[^<>]*$/u, ["name with '<' or '>'"]],
  [/^[\0-\x7f]*$/u, ['name with characters past ASCII (the first refused: U+0085; accepted: U+007F)']],
  [/^[\0-\xff]*$/u, ["name with characters past Latin-1 (the first refused: U+0301; accepted: 'ÿ')"]],
  [/^[\0-\uffff]*$/u, ["name with characters past U+FFFF (the first refused: '𐍈'; accepted: '日')"]],
  [
    /^(?:\P{Cc}|[\t\n\r\u0085])*$/u,
    ['name with NUL or control characters but U+0009, U+000A and U+000D (the first refused: U+0000)'],
  ],
  [
    /^[\w .-]*$/u,
    ["name with characters other than small letters, spaces, digits, capital letters, '-', '.' and '_'"],
  ],
  [/^[^\0<]*$/u, ['name with NUL', "name with '<'"]],
  // Two of them together are refused, none alone: that is no matter of characters.
  [/^(?!.*<[^]*>)[^]*$/u, []],
  [/^/u, []],
])('sums up what %s leaves out', async (form, expected) => {
  const boundarySearch = createTextBoundarySearch((text) => form.test(text));
  const found = await findCharacterBoundaries({ boundarySearch, place: '/name', letters: 'a', longest: 255 });
  expect(found.map(renderBoundary)).toEqual(expected);
});

test('takes no text for refused by its characters that is too long', async () => {
  const boundarySearch = createTextBoundarySearch((text) => text.length <= 8 && !text.includes('#'));
  const found = await findCharacterBoundaries({ boundarySearch, place: '/name', letters: 'a', longest: 8 });
  expect(found.map(renderBoundary)).toEqual(["name with '#'"]);
});

const place = '/name';

test.each([
  ['code-points', (text: string) => [...text].length <= 255],
  ['bytes', (text: string) => Buffer.byteLength(text) <= 255],
  ['utf-16', (text: string) => text.length <= 255],
  // With é refused as a character nothing is known of its length.
  ['unknown', (text: string) => text.length <= 255 && !text.includes('é')],
])('counts a limit in %s', async (unit, wasAccepted) => {
  const boundarySearch = createTextBoundarySearch(wasAccepted);
  expect(await findGreatestLength({ boundarySearch, place, base: 6, longest: 1_000 })).toEqual({
    what: 'length',
    place,
    accepted: 255,
    refused: 256,
    unit,
  });
});

test.each([
  ['even lengths alone', (text: string) => text.length % 2 === 0],
  ['a hole', (text: string) => text.length !== 500],
  ['everything', () => true],
])('claims no limit where a service takes %s', async (_what, wasAccepted) => {
  const boundarySearch = createTextBoundarySearch(wasAccepted);
  expect(await findGreatestLength({ boundarySearch, place, base: 6, longest: 501 })).toBeUndefined();
});

test.each([
  ['what is not empty', (text: string) => text !== '', { what: 'length', accepted: 1, refused: 0 }],
  [
    'three characters and more',
    (text: string) => text.length >= 3,
    { what: 'length', accepted: 3, refused: 2 },
  ],
  ['what is not blank', (text: string) => text.trim() !== '', { what: 'blank' }],
])('finds the least length where a service takes %s', async (_what, wasAccepted, expected) => {
  const boundarySearch = createTextBoundarySearch(wasAccepted);
  expect(await findLeastLength({ boundarySearch, place, base: 6 })).toMatchObject(expected);
});
