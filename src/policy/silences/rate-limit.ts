import { findExactResponse } from '../../contract/find-exact-response.ts';
import type { QuestionSilence } from '../question-silence.ts';
import type { RateLimitAnswer } from '../rate-limit.ts';

/** What a document says of limits: a 429 perhaps (RFC 6585 §4), but never from how many requests on. */
export const rateLimitSilence: QuestionSilence<RateLimitAnswer> = {
  silence(operation) {
    const settledBy =
      'OpenAPI has no words for a rate; 429 would have to be declared, and x-cloche-policy say the rest';
    return findExactResponse(operation, 429) !== undefined
      ? { kind: 'open', says: 'It declares 429, and not from how many requests on', settledBy }
      : { kind: 'open', settledBy };
  },
  declare: ({ answer }) => ({
    additions:
      answer === 'none'
        ? []
        : [
            {
              kind: 'response',
              status: 429,
              description: `More than ${answer.perSecond} requests came within a second.`,
              body: 'error',
              headers: {
                'Retry-After': {
                  description: 'How many seconds to wait (RFC 9110 §10.2.3).',
                  required: true,
                  schema: { type: 'integer', minimum: 0 },
                },
              },
            },
          ],
    answer,
  }),
};
