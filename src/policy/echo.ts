import type { Question } from './question.ts';

/** Whether the answer to a create can be held against what was sent. */
export type EchoAnswer = 'exact' | 'none';

/** The question `echo`: does a create answer with exactly what was sent? */
export const echo: Question<'echo', EchoAnswer> = {
  id: 'echo',
  question: 'Does a create answer with exactly what was sent?',
  default: 'exact',
  representatives: ['exact', 'none'],
};
