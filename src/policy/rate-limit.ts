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
  default: 'none',
  representatives: ['none', { perSecond: 50 }],
};
