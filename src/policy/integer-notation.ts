import type { Question } from './question.ts';

/** Whether a number written with a fraction or an exponent can be an integer. */
export type IntegerNotationAnswer =
  /** As JSON Schema says. */
  'yes' | 'no';

/** The question `integer-notation`: is 1.0 (or 1e2) an integer? */
export const integerNotation: Question<'integer-notation', IntegerNotationAnswer> = {
  id: 'integer-notation',
  question: 'Is 1.0 (or 1e2) an integer?',
  default: 'yes',
  representatives: ['yes', 'no'],
};
