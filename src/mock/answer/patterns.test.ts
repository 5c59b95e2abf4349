import { expect, test } from 'vitest';
import { patternVariants } from './patterns.ts';

test('leaves a plain pattern alone', () => {
  expect(patternVariants({ pattern: '^[0-9]{5}$', minLength: 5 })).toEqual(['^[0-9]{5}$']);
  expect(patternVariants({ pattern: '^[a-z]+$', minLength: 0 })).toEqual(['^[a-z]+$']);
});

test('lets a quantifier reach the shortest length, one at a time', () => {
  expect(patternVariants({ pattern: '^[+*]\\+a+b*$', minLength: 2 })).toEqual([
    '^[+*]\\+a+b*$',
    '^[+*]\\+a{2,}b*$',
    '^[+*]\\+a+b{2,}$',
  ]);
});

test('leaves out what looks ahead or behind', () => {
  expect(patternVariants({ pattern: '^(?=.*\\d)(?!.*[)]).{8,}$', minLength: 0 })).toEqual([
    '^(?=.*\\d)(?!.*[)]).{8,}$',
    '^.{8,}$',
  ]);
});
