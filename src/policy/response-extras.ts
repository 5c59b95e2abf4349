import type { Question } from './question.ts';

/** Whether the answer to a create carries the key although its schema does not declare it. */
export type ResponseExtrasAnswer =
  | 'none'
  /** The key that the client sent. */
  | 'id';

const phrases = {
  none: 'the answer holds what is declared',
  id: 'the answer holds the key too, undeclared',
} as const;

/** The question `response-extras`: does the answer carry more than its schema declares? */
export const responseExtras: Question<'response-extras', ResponseExtrasAnswer> = {
  id: 'response-extras',
  question: 'Does the answer carry more than its schema declares?',
  scope: 'operation',
  default: 'none',
  representatives: ['none', 'id'],
  schema: {
    oneOf: [
      { const: 'none', description: 'No.' },
      { const: 'id', description: 'The key that the client sent.' },
    ],
  },
  describe: (answer) => phrases[answer],
};
