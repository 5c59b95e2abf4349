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

const phrases = {
  refuse: '400 with an error body',
  conflict: '409 with an error body',
  unprocessable: '422 with an error body',
  replace: 'the new one takes the place of the old one',
  'keep-first': 'the stored one is answered, and stays',
  accept: 'both are kept',
} as const;

/** The question `duplicate-key`: what happens when the key exists already? */
export const duplicateKey: Question<'duplicate-key', DuplicateKeyAnswer> = {
  id: 'duplicate-key',
  question: 'What happens when the key exists already?',
  scope: 'operation',
  default: 'refuse',
  representatives: ['refuse', 'conflict', 'replace', 'accept'],
  schema: {
    oneOf: [
      { const: 'refuse', description: '400 with an error body, where the document declares 400.' },
      { const: 'conflict', description: '409.' },
      { const: 'unprocessable', description: '422.' },
      { const: 'replace', description: 'The new resource takes the place of the old one.' },
      { const: 'keep-first', description: 'The stored resource is the answer, and stays as it is.' },
      { const: 'accept', description: 'Both are kept.' },
    ],
  },
  describe: (answer) => phrases[answer],
};
