import type { Question } from './question.ts';

/** Which of several equal keys of one JSON object counts. */
export type DuplicateKeysInJsonAnswer =
  /** The last one counts. */
  | 'last'
  /** The first one counts. */
  | 'first'
  | 'refuse';

const phrases = {
  last: 'the last one counts',
  first: 'the first one counts',
  refuse: 'the body is refused',
} as const;

/** The question `duplicate-keys-in-json`: what becomes of a JSON key that is given twice? */
export const duplicateKeysInJson: Question<'duplicate-keys-in-json', DuplicateKeysInJsonAnswer> = {
  id: 'duplicate-keys-in-json',
  question: 'What becomes of a JSON key that is given twice?',
  scope: 'operation',
  default: 'last',
  representatives: ['last', 'first', 'refuse'],
  schema: {
    oneOf: [
      { const: 'last', description: 'The last one counts.' },
      { const: 'first', description: 'The first one counts.' },
      { const: 'refuse', description: 'The body is refused.' },
    ],
  },
  describe: (answer) => phrases[answer],
};
