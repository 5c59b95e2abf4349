import type { AnswerNote } from '../steps/mock-answer.ts';
import type { LoggedRequest } from './logged-request.ts';

/** What came of a request, in a word. */
export function verdictOf({ condition, forced }: AnswerNote): LoggedRequest['verdict'] {
  if (forced === true) {
    return 'forced';
  }
  return condition === undefined ? 'accepted' : 'refused';
}
