import type { Question } from './question.ts';

/** Whether the answer to a create can be held against what was sent. */
export type EchoAnswer = 'exact' | 'none';

const phrases = {
  exact: 'a create answers with exactly what was sent',
  none: 'a create need not answer with what was sent',
} as const;

/** The question `echo`: does a create answer with exactly what was sent? */
export const echo: Question<'echo', EchoAnswer> = {
  id: 'echo',
  question: 'Does a create answer with exactly what was sent?',
  scope: 'operation',
  default: 'exact',
  representatives: ['exact', 'none'],
  schema: {
    oneOf: [
      { const: 'exact', description: 'A create answers with exactly what was sent.' },
      { const: 'none', description: 'What a create answers cannot be held against what was sent.' },
    ],
  },
  describe: (answer) => phrases[answer],
};
