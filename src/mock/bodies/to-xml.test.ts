import { expect, test } from 'vitest';
import { ExactNumber } from '../../json/exact-number.ts';
import { toXml } from '../answer/representation.ts';

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';

test('writes an element for each member and each item', () => {
  const value = { id: new ExactNumber('9007199254740993'), tags: ['a', 'b'], rows: [[1]], none: null };
  expect(toXml('order', value)).toBe(
    `${head}<order><id>9007199254740993</id><tags>a</tags><tags>b</tags><rows><item>1</item></rows><none></none></order>\n`,
  );
});

test('writes only what XML can hold', () => {
  expect(toXml('1st thing', { 'a b': '<&>\0é' })).toBe(
    `${head}<_1st_thing><a_b>&lt;&amp;&gt;é</a_b></_1st_thing>\n`,
  );
});
