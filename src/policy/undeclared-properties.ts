import type { Question } from './question.ts';

/** What becomes of a property that the request's schema does not name. */
export type UndeclaredPropertiesAnswer = 'ignore' | 'refuse' | 'store';

const phrases = {
  ignore: 'they are ignored',
  refuse: 'the body is refused',
  store: 'they are kept and answered',
} as const;

/** The question `undeclared-properties`: what becomes of properties that the schema of the request does not declare? */
export const undeclaredProperties: Question<'undeclared-properties', UndeclaredPropertiesAnswer> = {
  id: 'undeclared-properties',
  question: 'What becomes of properties that the schema of the request does not declare?',
  scope: 'operation',
  default: 'ignore',
  representatives: ['ignore', 'refuse', 'store'],
  schema: {
    oneOf: [
      { const: 'ignore', description: 'They are taken, and forgotten.' },
      { const: 'refuse', description: 'The body is refused.' },
      { const: 'store', description: 'They are kept, and stand in the answer.' },
    ],
  },
  describe: (answer) => phrases[answer],
};
