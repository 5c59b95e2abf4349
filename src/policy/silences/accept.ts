import { findDeclaredSuccess } from '../../contract/find-declared-success.ts';
import { findExactResponse } from '../../contract/find-exact-response.ts';
import type { AcceptAnswer } from '../accept.ts';
import type { QuestionSilence } from '../question-silence.ts';

/** What a document says of an Accept that cannot be met: a 406 that it declares is for that (RFC 9110 §15.5.7). */
export const acceptSilence: QuestionSilence<AcceptAnswer> = {
  silence(operation) {
    if ((findDeclaredSuccess(operation)?.media ?? []).length === 0) {
      return { kind: 'not-asked', why: 'its success has no content' };
    }
    const declared = findExactResponse(operation, 406);
    return declared === undefined
      ? { kind: 'open', settledBy: 'The operation would have to declare 406' }
      : { kind: 'answered', pointer: declared.pointer, says: 'It declares 406', answer: 406 };
  },
  declare: ({ answer }) => ({
    additions:
      answer === 406
        ? [{ kind: 'response', status: 406, description: 'Its Accept cannot be met.', body: 'error' }]
        : [],
    answer,
  }),
};
