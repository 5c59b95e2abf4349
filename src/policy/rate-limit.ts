import type { Question } from './question.ts';

/** Whether requests past a rate are put off. */
export type RateLimitAnswer =
  | 'none'
  /** Past so many requests within one second: 429 with Retry-After. */
  | { readonly perSecond: number };

/** The question `rate-limit`: are there limits on how often a client may ask? */
export const rateLimit: Question<'rate-limit', RateLimitAnswer> = {
  id: 'rate-limit',
  question: 'Are there limits on how often a client may ask?',
  scope: 'operation',
  default: 'none',
  representatives: ['none', { perSecond: 50 }],
  schema: {
    oneOf: [
      { const: 'none', description: 'There are none.' },
      {
        type: 'object',
        required: ['perSecond'],
        additionalProperties: false,
        properties: {
          perSecond: {
            type: 'integer',
            minimum: 1,
            maximum: 1_000_000,
            description:
              'So many requests within one second are taken; past them comes 429 with Retry-After.',
          },
        },
      },
    ],
  },
  describe: (answer) =>
    answer === 'none' ? 'none' : `past ${answer.perSecond} requests a second, 429 with Retry-After`,
};
