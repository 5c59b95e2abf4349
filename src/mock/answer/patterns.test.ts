import { expect, test } from 'vitest';
import { patternVariants } from './patterns.ts';

test('leaves a plain pattern alone', () => {
  expect(patternVariants('^[0-9]{5}$', 5)).toEqual(['^[0-9]{5}$']);
  expect(patternVariants('^[a-z]+$', 0)).toEqual(['^[a-z]+$']);
});

test('lets a quantifier reach the shortest length, one at a time', () => {
  expect(patternVariants('^[+*]\\+a+b*$', 2)).toEqual([
    '^[+*]\\+a+b*$',
    '^[+*]\\+a{2,}b*$',
    '^[+*]\\+a+b{2,}$',
  ]);
});

test('leaves out what looks ahead or behind', () => {
  expect(patternVariants('^(?=.*\\d)(?!.*[)]).{8,}$', 0)).toEqual(['^(?=.*\\d)(?!.*[)]).{8,}$', '^.{8,}$']);
});
