import { expect, test } from 'vitest';
import { closestWord } from './suggest.ts';

test.each([
  ['sede', 'seed'],
  ['tokn', 'token'],
  ['Token', 'token'],
  ['doc', 'document'],
  ['conections', 'connections'],
])('takes %s for %s', (word, meant) => {
  expect(closestWord(word, ['seed', 'token', 'document', 'connections'])).toBe(meant);
});

test('takes no long text for a slip of the pen', () => {
  const text = 'a'.repeat(41);
  expect(closestWord(text, [`${text}a`])).toBeUndefined();
});

test('takes a word for none that is far from it', () => {
  expect(closestWord('nonsense', ['seed', 'token'])).toBeUndefined();
  expect(closestWord('x', [])).toBeUndefined();
});
