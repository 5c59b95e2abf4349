import type { Question } from './question.ts';

/** Which of several equal keys of one JSON object counts. */
export type DuplicateKeysInJsonAnswer =
  /** The last one counts. */
  | 'last'
  /** The first one counts. */
  | 'first'
  | 'refuse';

/** The question `duplicate-keys-in-json`: what becomes of a JSON key that is given twice? */
export const duplicateKeysInJson: Question<'duplicate-keys-in-json', DuplicateKeysInJsonAnswer> = {
  id: 'duplicate-keys-in-json',
  question: 'What becomes of a JSON key that is given twice?',
  default: 'last',
  representatives: ['last', 'first', 'refuse'],
};
