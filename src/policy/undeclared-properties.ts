import type { Question } from './question.ts';

/** What becomes of a property that the request's schema does not name. */
export type UndeclaredPropertiesAnswer = 'ignore' | 'refuse' | 'store';

/** The question `undeclared-properties`: what becomes of properties that the schema of the request does not declare? */
export const undeclaredProperties: Question<'undeclared-properties', UndeclaredPropertiesAnswer> = {
  id: 'undeclared-properties',
  question: 'What becomes of properties that the schema of the request does not declare?',
  default: 'ignore',
  representatives: ['ignore', 'refuse', 'store'],
};
