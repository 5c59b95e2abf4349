import type { Question } from './question.ts';

/** Whether int32 and int64 bound a value. */
export type Int64RangeAnswer = 'refuse' | 'accept';

/** The question `int64-range`: are integers outside the range of their format refused? */
export const int64Range: Question<'int64-range', Int64RangeAnswer> = {
  id: 'int64-range',
  question: 'Are integers outside the range of their format refused?',
  default: 'refuse',
  representatives: ['refuse', 'accept'],
};
