import { findExactResponse } from '../../contract/find-exact-response.ts';
import type { DuplicateKeyAnswer } from '../duplicate-key.ts';
import type { QuestionSilence } from '../question-silence.ts';
import { clientKey } from './client-key.ts';

const statuses: Readonly<Partial<Record<DuplicateKeyAnswer, number>>> = { conflict: 409, unprocessable: 422 };

/** What a document says of a key that is taken: a 409 that it declares is for that (RFC 9110 §15.5.10). */
export const duplicateKeySilence: QuestionSilence<DuplicateKeyAnswer> = {
  silence(operation) {
    const key = clientKey(operation);
    if (key === undefined) {
      return { kind: 'not-asked', why: 'no client chooses a key' };
    }
    const declared = findExactResponse(operation, 409);
    return declared === undefined
      ? {
          kind: 'open',
          settledBy: `The operation would have to declare 409, for when "${key}" is taken`,
        }
      : { kind: 'answered', pointer: declared.pointer, says: 'It declares 409', answer: 'conflict' };
  },
  declare({ answer, operation }) {
    const status = statuses[answer];
    const description = `Its "${clientKey(operation) ?? 'key'}" is taken.`;
    return {
      additions: status === undefined ? [] : [{ kind: 'response', status, description, body: 'error' }],
      answer,
    };
  },
};
