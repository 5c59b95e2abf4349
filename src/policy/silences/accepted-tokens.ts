import type { AcceptedTokensAnswer } from '../accepted-tokens.ts';
import type { QuestionSilence } from '../question-silence.ts';
import { whyNoCredentials } from './why-no-credentials.ts';
import { noWords } from './no-words.ts';

/** What a document says of which tokens are good: nothing, OpenAPI has no words for it. */
export const acceptedTokensSilence: QuestionSilence<AcceptedTokensAnswer> = {
  silence(operation) {
    const why = whyNoCredentials(operation);
    return why === undefined ? { kind: 'open', settledBy: noWords } : { kind: 'not-asked', why };
  },
};
