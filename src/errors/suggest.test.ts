import { expect, test } from 'vitest';
import { checkOptionNames, closestWord } from './suggest.ts';

const options = { names: ['seed', 'tokens'], attempt: 'use the option' };

test('lets pass options that there are', () => {
  expect(() => checkOptionNames({ seed: undefined, tokens: [] }, options)).not.toThrow();
});

test('names an option that there is not, and the one that was meant', () => {
  expect(() => checkOptionNames({ seed: 1, token: 's' }, options)).toThrow(
    'Failed to use the option "token": there is none of this name. Perhaps "tokens" was meant.',
  );
  expect(() => checkOptionNames({ port: 1 }, options)).toThrow(
    'Failed to use the option "port": there is none of this name. It takes seed, tokens.',
  );
});

test.each([[null], [4010], ['seed'], [[]]])('takes no %j for options', (given) => {
  expect(() => checkOptionNames(given, options)).toThrow('it is no object of named options');
});

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
