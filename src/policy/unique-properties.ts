import type { Question } from './question.ts';

/** The names of properties of which no two resources may have the same value. */
export type UniquePropertiesAnswer = readonly string[];

/** The question `unique-properties`: must properties other than the key be unique? */
export const uniqueProperties: Question<'unique-properties', UniquePropertiesAnswer> = {
  id: 'unique-properties',
  question: 'Must properties other than the key be unique?',
  default: [],
  representatives: [[], ['name']],
};
