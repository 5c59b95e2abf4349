import { expect, test } from 'vitest';
import { createPolicy, defaultPolicy } from './policy.ts';
import { questions } from './questions/index.ts';

test('the default policy answers every question with its default', () => {
  expect(Object.keys(defaultPolicy)).toEqual(Object.keys(questions));
  expect(defaultPolicy['duplicate-key']).toBe('refuse');
});

test('an answer replaces the default of its question alone', () => {
  expect(createPolicy({ 'duplicate-key': 'conflict' })).toEqual({
    ...defaultPolicy,
    'duplicate-key': 'conflict',
  });
});

test.each(Object.values(questions))(
  '$id is filed under its id, and its default stands for it',
  (question) => {
    expect(Object.entries(questions).find(([, other]) => other === question)?.[0]).toBe(question.id);
    expect(question.representatives[0]).toEqual(question.default);
    expect(question.question).toMatch(/\?$/u);
  },
);
