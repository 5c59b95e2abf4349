import { expect, test } from 'vitest';
import { createPolicy, policyOf } from './policy.ts';

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
