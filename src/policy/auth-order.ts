import type { Question } from './question.ts';

/** Whether a request is authenticated before its body is read or after. */
export type AuthOrderAnswer = 'before' | 'after';

const phrases = {
  before: 'credentials are checked before the body',
  after: 'credentials are checked after the body',
} as const;

/** The question `auth-order`: are credentials checked before the body? */
export const authOrder: Question<'auth-order', AuthOrderAnswer> = {
  id: 'auth-order',
  question: 'Are credentials checked before the body?',
  scope: 'operation',
  default: 'before',
  representatives: ['before', 'after'],
  schema: {
    oneOf: [
      { const: 'before', description: 'Credentials first: a body is not looked at without them.' },
      { const: 'after', description: 'The body first: what is wrong with it is told without credentials.' },
    ],
  },
  describe: (answer) => phrases[answer],
};
