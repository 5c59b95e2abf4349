import { findExactResponse } from '../../contract/find-exact-response.ts';
import type { QuestionSilence } from '../question-silence.ts';
import type { UnsupportedMediaTypeAnswer } from '../unsupported-media-type.ts';

/** What a document says of another media type: a 415 that it declares is for that (RFC 9110 §15.5.16). */
export const unsupportedMediaTypeSilence: QuestionSilence<UnsupportedMediaTypeAnswer> = {
  silence(operation) {
    const { requestBody } = operation;
    if (requestBody === undefined || requestBody.media.length === 0) {
      return { kind: 'not-asked', why: 'the operation takes no body' };
    }
    if (requestBody.media.some(({ range }) => range.startsWith('*/*'))) {
      return { kind: 'not-asked', why: 'it takes every media type' };
    }
    const declared = findExactResponse(operation, 415);
    return declared === undefined
      ? { kind: 'open', settledBy: 'The operation would have to declare 415' }
      : { kind: 'answered', pointer: declared.pointer, says: 'It declares 415', answer: 415 };
  },
  declare: ({ answer }) => ({
    additions:
      answer === 415
        ? [{ kind: 'response', status: 415, description: 'Its media type is not taken.', body: 'error' }]
        : [],
    answer,
  }),
};
