import type { AuthOrderAnswer } from '../auth-order.ts';
import type { QuestionSilence } from '../question-silence.ts';
import { whyNoCredentials } from './why-no-credentials.ts';
import { noWords } from './no-words.ts';

/** What a document says of the order of checks: nothing, OpenAPI has no words for it. */
export const authOrderSilence: QuestionSilence<AuthOrderAnswer> = {
  silence(operation) {
    const nothing =
      operation.requestBody === undefined && operation.parameters.length === 0
        ? 'there is nothing to be checked but credentials'
        : undefined;
    const why = whyNoCredentials(operation) ?? nothing;
    return why === undefined ? { kind: 'open', settledBy: noWords } : { kind: 'not-asked', why };
  },
};
