import { expect, test } from 'vitest';
import { createTextProber } from '../../../fixtures/create-text-prober.ts';
import { renderBoundary } from '../../report/text/boundary.ts';
import { findCharacterBoundaries } from './text.ts';

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
  const prober = createTextProber((text) => form.test(text));
  const found = await findCharacterBoundaries({ prober, place: '/name', letters: 'a', longest: 255 });
  expect(found.map(renderBoundary)).toEqual(expected);
});

test('takes no text for refused by its characters that is too long', async () => {
  const prober = createTextProber((text) => text.length <= 8 && !text.includes('#'));
  const found = await findCharacterBoundaries({ prober, place: '/name', letters: 'a', longest: 8 });
  expect(found.map(renderBoundary)).toEqual(["name with '#'"]);
});
