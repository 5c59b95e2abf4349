import type { Question } from './question.ts';

/** Whether a request is authenticated before its body is read or after. */
export type AuthOrderAnswer = 'before' | 'after';

/** The question `auth-order`: are credentials checked before the body? */
export const authOrder: Question<'auth-order', AuthOrderAnswer> = {
  id: 'auth-order',
  question: 'Are credentials checked before the body?',
  default: 'before',
  representatives: ['before', 'after'],
};
