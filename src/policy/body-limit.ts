import type { Question } from './question.ts';

/** How many bytes of a body are read, and the answer past them. */
export interface BodyLimitAnswer {
  /** The most bytes that are read. */
  readonly bytes: number;
  /** The status past it, 400 to 499. */
  readonly status: number;
}

/** The question `body-limit`: how large may a body be? */
export const bodyLimit: Question<'body-limit', BodyLimitAnswer> = {
  id: 'body-limit',
  question: 'How large may a body be?',
  scope: 'operation',
  default: { bytes: 1_048_576, status: 400 },
  representatives: [
    { bytes: 1_048_576, status: 400 },
    { bytes: 65_536, status: 413 },
  ],
  schema: {
    type: 'object',
    required: ['bytes', 'status'],
    additionalProperties: false,
    properties: {
      bytes: {
        type: 'integer',
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The most bytes of a body that are read.',
      },
      status: { type: 'integer', minimum: 400, maximum: 499, description: 'The status past them.' },
    },
    examples: [{ bytes: 1_048_576, status: 413 }],
  },
  describe: ({ bytes, status }) => `up to ${bytes.toLocaleString('en')} bytes are read; past them, ${status}`,
};
