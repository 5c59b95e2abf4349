import type { Question } from './question.ts';

/** How many bytes of a body are read, and the answer past them. */
export interface BodyLimitAnswer {
  /** The most bytes that are read. */
  readonly bytes: number;
  /** The status past it. */
  readonly status: 400 | 413;
}

/** The question `body-limit`: how large may a body be? */
export const bodyLimit: Question<'body-limit', BodyLimitAnswer> = {
  id: 'body-limit',
  question: 'How large may a body be?',
  default: { bytes: 1_048_576, status: 400 },
  representatives: [
    { bytes: 1_048_576, status: 400 },
    { bytes: 65_536, status: 413 },
  ],
};
