import type { Question } from './question.ts';

/** Whether int32 and int64 bound a value. */
export type Int64RangeAnswer = 'refuse' | 'accept';

const phrases = {
  refuse: 'integers outside the range of their format are refused',
  accept: 'integers outside the range of their format are taken',
} as const;

/** The question `int64-range`: are integers outside the range of their format refused? */
export const int64Range: Question<'int64-range', Int64RangeAnswer> = {
  id: 'int64-range',
  question: 'Are integers outside the range of their format refused?',
  scope: 'operation',
  default: 'refuse',
  representatives: ['refuse', 'accept'],
  schema: {
    oneOf: [
      { const: 'refuse', description: 'Integers outside the range of int32 or int64 are refused.' },
      { const: 'accept', description: 'They are taken.' },
    ],
  },
  describe: (answer) => phrases[answer],
};
