import type { Question } from './question.ts';

/** The statuses of methods and paths that are not declared. */
export interface OtherOperationsAnswer {
  /** Another method on a declared path; 405 comes with Allow. */
  readonly method: number;
  /** Another path. */
  readonly path: number;
}

/** The question `other-operations`: what do methods and paths answer that the document does not declare? */
export const otherOperations: Question<'other-operations', OtherOperationsAnswer> = {
  id: 'other-operations',
  question: 'What do methods and paths answer that the document does not declare?',
  default: { method: 405, path: 404 },
  representatives: [
    { method: 405, path: 404 },
    { method: 404, path: 404 },
    { method: 501, path: 403 },
  ],
};
