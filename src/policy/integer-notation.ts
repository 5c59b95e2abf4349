import type { Question } from './question.ts';

/** Whether a number written with a fraction or an exponent can be an integer. */
export type IntegerNotationAnswer =
  /** As JSON Schema says. */
  'yes' | 'no';

const phrases = {
  yes: '1.0 and 1e2 are integers',
  no: '1.0 and 1e2 are refused where an integer must be',
} as const;

/** The question `integer-notation`: is 1.0 (or 1e2) an integer? */
export const integerNotation: Question<'integer-notation', IntegerNotationAnswer> = {
  id: 'integer-notation',
  question: 'Is 1.0 (or 1e2) an integer?',
  scope: 'operation',
  default: 'yes',
  representatives: ['yes', 'no'],
  schema: {
    oneOf: [
      { const: 'yes', description: '1.0 and 1e2 are integers, as JSON Schema says.' },
      { const: 'no', description: 'An integer has neither fraction nor exponent.' },
    ],
  },
  describe: (answer) => phrases[answer],
};
