import { expect, test } from 'vitest';
import { checkOptionNames } from './suggest.ts';

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
