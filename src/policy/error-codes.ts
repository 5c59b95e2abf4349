import type { Condition } from './condition.ts';
import type { Question } from './question.ts';

/** What an integer code in an error body is filled with. */
export type ErrorCodesAnswer =
  /** The HTTP status. */
  | 'status'
  /** A number for each condition; the HTTP status for those not named. */
  | Readonly<Partial<Record<Condition, number>>>;

/** The question `error-codes`: what does the code in an error body hold? */
export const errorCodes: Question<'error-codes', ErrorCodesAnswer> = {
  id: 'error-codes',
  question: 'What does the code in an error body hold?',
  default: 'status',
  representatives: ['status', { 'malformed-body': 1001, 'invalid-body': 1002, 'duplicate-key': 1003 }],
};
