import type { QuestionId } from '../policy/question-id.ts';

/** The questions in an order in which later ones may use the answers to earlier ones. */
export const questionOrder: readonly QuestionId[] = [
  'accepted-tokens',
  'missing-credentials',
  'invalid-credentials',
  'auth-order',
  'echo',
  'response-extras',
  'duplicate-key',
  'unique-properties',
  'undeclared-properties',
  'duplicate-keys-in-json',
  'integer-notation',
  'body-limit',
  'constraints',
  'int64-range',
  'unsupported-media-type',
  'accept',
  'other-operations',
  'error-codes',
  // What it sends may be held against whoever comes next.
  'rate-limit',
];
