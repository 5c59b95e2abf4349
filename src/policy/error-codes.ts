import type { Condition } from './condition.ts';
import type { Question } from './question.ts';

/** What an integer code in an error body is filled with. */
export type ErrorCodesAnswer =
  /** The HTTP status. */
  | 'status'
  /** A number for each condition; the HTTP status for those not named. */
  | Readonly<Partial<Record<Condition, number>>>;

/** What each condition is about. */
const conditions: Readonly<Record<Condition, string>> = {
  'missing-credentials': 'No credentials, or those of another scheme.',
  'invalid-credentials': 'A token that is not known.',
  'malformed-body': 'A body that is not JSON.',
  'missing-body': 'No body where one must be.',
  'invalid-body': 'A body that its schema does not accept.',
  'invalid-parameter': 'A parameter that its schema does not accept.',
  'unsupported-media-type': 'A body in another media type.',
  'body-too-large': 'A body past the limit.',
  'duplicate-key': 'A key that is taken.',
  'duplicate-value': 'A value that is taken, of a property that must be unique.',
  'not-acceptable': 'An Accept that cannot be met.',
  'unknown-path': 'A path that there is not.',
  'unknown-method': 'A method that the path does not have.',
  'too-many-requests': 'More requests than are let in.',
};

/** The question `error-codes`: what does the code in an error body hold? */
export const errorCodes: Question<'error-codes', ErrorCodesAnswer> = {
  id: 'error-codes',
  question: 'What does the code in an error body hold?',
  scope: 'operation',
  default: 'status',
  representatives: ['status', { 'malformed-body': 1001, 'invalid-body': 1002, 'duplicate-key': 1003 }],
  schema: {
    oneOf: [
      { const: 'status', description: 'The HTTP status.' },
      {
        type: 'object',
        description: 'A number for each condition; the HTTP status for those not named.',
        minProperties: 1,
        additionalProperties: false,
        properties: Object.fromEntries(
          Object.entries(conditions).map(([condition, description]) => [
            condition,
            { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1, description },
          ]),
        ),
      },
    ],
  },
  describe: (answer) =>
    answer === 'status'
      ? 'the HTTP status'
      : `${Object.entries(answer)
          .map(([condition, code]) => `${code} for ${condition}`)
          .join(', ')}, else the HTTP status`,
};
