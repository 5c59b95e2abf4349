import { expect, test } from 'vitest';
import { createPolicy, defaultPolicy, policyOf } from './policy.ts';
import { questions } from './questions/index.ts';

const policy = createPolicy({
  accept: 406,
  operations: { createOrder: { 'duplicate-key': 'conflict' } },
});

test("an operation's own answers stand before those of the service", () => {
  const own = policyOf(policy, 'createOrder');
  expect([own['duplicate-key'], own.accept]).toEqual(['conflict', 406]);
  expect(policyOf(policy, 'createOrder')).toBe(own);
});

test('an operation without answers of its own, and a request that reached none, have those of the service', () => {
  expect(policyOf(policy, 'listOrders')).toBe(policy);
  expect(policyOf(policy, undefined)).toBe(policy);
});

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
