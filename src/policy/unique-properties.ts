import type { Question } from './question.ts';

/** The names of properties of which no two resources may have the same value. */
export type UniquePropertiesAnswer = readonly string[];

/** The question `unique-properties`: must properties other than the key be unique? */
export const uniqueProperties: Question<'unique-properties', UniquePropertiesAnswer> = {
  id: 'unique-properties',
  question: 'Must properties other than the key be unique?',
  scope: 'operation',
  default: [],
  representatives: [[], ['name']],
  schema: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    uniqueItems: true,
    description: 'The names of properties of which no two resources may have the same value.',
    examples: [['name']],
  },
  describe: (names) => (names.length === 0 ? 'none' : `${names.join(', ')} must be unique`),
};
