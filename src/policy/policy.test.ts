import { expect, test } from 'vitest';
import { createPolicy, defaultPolicy, holdPolicy, mergeAnswers, policyOf } from './policy.ts';
import { behaviours } from './behaviours/index.ts';

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
  expect(Object.keys(defaultPolicy)).toEqual(Object.keys(behaviours));
  expect(defaultPolicy['duplicate-key']).toBe('refuse');
});

test('an answer replaces the default of its question alone', () => {
  expect(createPolicy({ 'duplicate-key': 'conflict' })).toEqual({
    ...defaultPolicy,
    'duplicate-key': 'conflict',
  });
});

test.each(Object.values(behaviours))(
  '$id is filed under its id, and its default stands for it',
  (question) => {
    expect(Object.entries(behaviours).find(([, other]) => other === question)?.[0]).toBe(question.id);
    expect(question.representatives[0]).toEqual(question.default);
    expect(question.question).toMatch(/\?$/u);
  },
);

test('a run that is told nothing holds nothing, and knows that tokens are listed', () => {
  expect(holdPolicy({ beside: {}, given: {} })).toEqual({
    policy: { ...defaultPolicy, 'accepted-tokens': 'listed' },
    enforced: new Set(),
    echo: 'warning',
  });
});

test('what is given is held, and what is left out is not', () => {
  const { policy, enforced } = holdPolicy({ beside: {}, given: { 'duplicate-key': 'conflict' } });
  expect([policy['duplicate-key'], policy.accept]).toEqual(['conflict', 'ignore']);
  expect(enforced).toEqual(new Set(['duplicate-key']));
});

test('the policy beside the document says what an echo is worth, unless another is given', () => {
  const beside = { echo: 'exact', 'accepted-tokens': 'any' } as const;
  expect(holdPolicy({ beside, given: {} })).toMatchObject({
    echo: 'violation',
    enforced: new Set(),
    policy: { 'accepted-tokens': 'any' },
  });
  expect(holdPolicy({ beside, given: { echo: 'none' } }).echo).toBeUndefined();
});

test('answers of operations are told with their operation alone', () => {
  const beside = { operations: { addBook: { echo: 'none' } } } as const;
  const given = { operations: { addBook: { accept: 406 }, addReader: { accept: 406 } } } as const;
  const { policy, enforced } = holdPolicy({ beside, given });
  expect(policy.operations).toEqual({ addBook: { echo: 'none', accept: 406 }, addReader: { accept: 406 } });
  expect(enforced.size).toBe(0);
});

test('the answers over others win, question by question', () => {
  const under = { echo: 'none', accept: 406 } as const;
  expect(mergeAnswers(under, { echo: 'exact' })).toEqual({ echo: 'exact', accept: 406 });
});

test('an answer of one operation stands before that of the service', () => {
  const over = { operations: { addBook: { echo: 'exact' } } } as const;
  expect(mergeAnswers({ echo: 'none', operations: { addBook: { accept: 406 } } }, over)).toEqual({
    echo: 'none',
    operations: { addBook: { accept: 406, echo: 'exact' } },
  });
});

test('what is said last of the service is said of each operation', () => {
  const under = {
    operations: { addBook: { echo: 'none' }, addReader: { echo: 'none', accept: 406 } },
  } as const;
  expect(mergeAnswers(under, { echo: 'exact' })).toEqual({
    echo: 'exact',
    operations: { addReader: { accept: 406 } },
  });
});
