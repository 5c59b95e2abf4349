import type { Question } from './question.ts';

/** What becomes of a request whose Accept rules the declared media types out. */
export type AcceptAnswer =
  /** The declared media type is sent all the same (RFC 9110 §12.5.1 allows it). */
  | 'ignore'
  /** 406 */
  | 406;

const phrases = {
  ignore: 'the declared media type is sent all the same',
  406: '406',
} as const;

/** The question `accept`: what becomes of an Accept that cannot be met? */
export const accept: Question<'accept', AcceptAnswer> = {
  id: 'accept',
  question: 'What becomes of an Accept that cannot be met?',
  scope: 'operation',
  default: 'ignore',
  representatives: ['ignore', 406],
  schema: {
    oneOf: [
      { const: 'ignore', description: 'The declared media type is sent all the same.' },
      { const: 406, description: '406 Not Acceptable.' },
    ],
  },
  describe: (answer) => phrases[answer],
};
