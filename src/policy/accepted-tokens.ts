import type { Question } from './question.ts';

/** Which credentials are let in. */
export type AcceptedTokensAnswer =
  /** Any that is not empty. */
  | 'any'
  /** Those of a list. The list is never part of a policy: a policy holds no token. */
  | 'listed';

const phrases = {
  any: 'any token that is not empty',
  listed: 'only those of a list, which no policy holds',
} as const;

/** The question `accepted-tokens`: which tokens are good? */
export const acceptedTokens: Question<'accepted-tokens', AcceptedTokensAnswer> = {
  id: 'accepted-tokens',
  question: 'Which tokens are good?',
  scope: 'operation',
  default: 'any',
  representatives: ['any', 'listed'],
  schema: {
    oneOf: [
      { const: 'any', description: 'Any token that is not empty.' },
      {
        const: 'listed',
        description:
          'Those that --token, --token-file or the options of createMock give. A policy holds no token.',
      },
    ],
  },
  describe: (answer) => phrases[answer],
};
