import { expect, test } from 'vitest';
import type { Finding } from '../../check/finding.ts';
import type { JsonValue } from '../../json/value.ts';
import { createPolicy } from '../../policy/policy.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';
import { proposePolicy } from './propose.ts';

const policy = createPolicy({ 'other-operations': { method: 405, path: 404 } });

function difference(
  question: BehaviourId,
  answer: JsonValue,
  { operation = 'createOrder', count = 1 }: { readonly operation?: string; readonly count?: number } = {},
): { readonly finding: Finding; readonly count: number } {
  const verdict = { kind: 'silent', question, answer } as const;
  const finding: Finding = {
    check: 'parity',
    level: 'warning',
    operation,
    clause: { kind: 'policy', question, quote: '' },
    expected: '',
    received: '',
    cause: question,
    parity: { tested: 'the service', other: 'the mock', answered: '', verdict },
  };
  return { finding, count };
}

test('adds members of an answer to what the policy says', () => {
  const { answers } = proposePolicy([difference('other-operations', { method: 501 })], policy);
  expect(answers).toEqual({ 'other-operations': { method: 501, path: 404 } });
});

test('puts members that were seen apart together', () => {
  const { answers, unsure } = proposePolicy(
    [difference('error-codes', { 'invalid-body': 1 }), difference('error-codes', { 'malformed-body': 2 })],
    policy,
  );
  expect([answers, unsure]).toEqual([{ 'error-codes': { 'invalid-body': 1, 'malformed-body': 2 } }, []]);
});

test('of several answers to one question it takes the most frequent, and says so', () => {
  const { answers, unsure } = proposePolicy(
    [difference('duplicate-key', 'conflict', { count: 9 }), difference('duplicate-key', 'replace')],
    policy,
  );
  expect([answers, unsure]).toEqual([{ 'duplicate-key': 'conflict' }, ['duplicate-key']]);
});

test('keeps operations apart that answer one question differently', () => {
  const proposal = proposePolicy(
    [
      difference('duplicate-key', 'conflict'),
      difference('duplicate-key', 'replace', { operation: 'createInvoice' }),
      difference('accept', 406, { operation: 'createInvoice' }),
    ],
    policy,
  );
  expect(proposal).toEqual({
    answers: { accept: 406 },
    operations: {
      createOrder: { 'duplicate-key': 'conflict' },
      createInvoice: { 'duplicate-key': 'replace' },
    },
    unsure: [],
  });
});
