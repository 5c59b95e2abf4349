import type { Question } from './question.ts';

/** Which credentials are let in. */
export type AcceptedTokensAnswer =
  /** Any that is not empty. */
  | 'any'
  /** Those of a list. The list is never part of a policy: a policy holds no token. */
  | 'listed';

/** The question `accepted-tokens`: which tokens are good? */
export const acceptedTokens: Question<'accepted-tokens', AcceptedTokensAnswer> = {
  id: 'accepted-tokens',
  question: 'Which tokens are good?',
  default: 'any',
  representatives: ['any', 'listed'],
};
