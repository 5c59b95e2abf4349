import { findExactResponse } from '../../contract/find-exact-response.ts';
import type { BodyLimitAnswer } from '../body-limit.ts';
import type { QuestionSilence } from '../question-silence.ts';

/** What a document says of large bodies: a status perhaps, but never from how many bytes on. */
export const bodyLimitSilence: QuestionSilence<BodyLimitAnswer> = {
  silence(operation) {
    if (operation.requestBody === undefined) {
      return { kind: 'not-asked', why: 'the operation takes no body' };
    }
    const settledBy =
      'OpenAPI has no words for a number of bytes; 413 would have to be declared, and x-cloche-policy say the rest';
    return findExactResponse(operation, 413) === undefined
      ? { kind: 'open', settledBy }
      : { kind: 'open', says: 'It declares 413, and not from how many bytes on', settledBy };
  },
  declare: ({ answer }) => ({
    additions:
      answer.status === 400
        ? []
        : [
            {
              kind: 'response',
              status: answer.status,
              description: `Its body has more than ${answer.bytes.toLocaleString('en-US')} bytes.`,
              body: 'error',
            },
          ],
    answer,
  }),
};
