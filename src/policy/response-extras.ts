import type { Question } from './question.ts';

/** Whether the answer to a create carries the key although its schema does not declare it. */
export type ResponseExtrasAnswer =
  | 'none'
  /** The key that the client sent. */
  | 'id';

/** The question `response-extras`: does the answer carry more than its schema declares? */
export const responseExtras: Question<'response-extras', ResponseExtrasAnswer> = {
  id: 'response-extras',
  question: 'Does the answer carry more than its schema declares?',
  default: 'none',
  representatives: ['none', 'id'],
};
