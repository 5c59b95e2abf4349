import type { Question } from './question.ts';

/** What becomes of a create whose key is taken. */
export type DuplicateKeyAnswer =
  /** 400 with an error body, where the document declares 400. */
  | 'refuse'
  /** 409 */
  | 'conflict'
  /** 422 */
  | 'unprocessable'
  /** The new resource takes the place of the old one. */
  | 'replace'
  /** The stored resource is the answer. */
  | 'keep-first'
  /** Both are kept. */
  | 'accept';

/** The question `duplicate-key`: what happens when the key exists already? */
export const duplicateKey: Question<'duplicate-key', DuplicateKeyAnswer> = {
  id: 'duplicate-key',
  question: 'What happens when the key exists already?',
  default: 'refuse',
  representatives: ['refuse', 'conflict', 'replace', 'accept'],
};
