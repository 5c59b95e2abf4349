import { expect, test } from 'vitest';
import { contractOf } from '../fixtures/contract-of.ts';
import { answer, body, inPath, object, text } from '../fixtures/own-judge.ts';
import { defaultPolicy } from '../src/policy/policy.ts';
import { policyAnswers } from './policy-answers.ts';

test('whether values may be equal is not asked of a key, not even of one that cannot be drawn', () => {
  const long = { type: 'string', minLength: 12 };
  const contract = contractOf({
    paths: {
      '/stores': {
        post: {
          operationId: 'addStore',
          requestBody: body(object({ name: long, note: text })),
          responses: { 201: answer() },
        },
      },
      '/stores/{name}': {
        get: {
          operationId: 'getStore',
          parameters: [inPath('name')],
          responses: { 200: answer(object({ name: text, note: text })) },
        },
      },
    },
  });
  const plan = policyAnswers.plan({
    contract,
    policy: defaultPolicy,
    enforced: new Set(['unique-properties']),
    unsafeMethods: true,
  });
  expect(plan.kind === 'properties' && plan.properties.map(({ title }) => title)).toEqual([
    'Of /note a value that another resource has is refused or accepted, as the policy says',
  ]);
});
