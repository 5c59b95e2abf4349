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
  scope: 'service',
  default: { method: 405, path: 404 },
  representatives: [
    { method: 405, path: 404 },
    { method: 404, path: 404 },
    { method: 501, path: 403 },
  ],
  schema: {
    type: 'object',
    required: ['method', 'path'],
    additionalProperties: false,
    properties: {
      method: {
        description: 'The status of another method on a declared path.',
        anyOf: [{ type: 'integer', minimum: 200, maximum: 499 }, { const: 501 }],
      },
      path: { type: 'integer', minimum: 200, maximum: 499, description: 'The status of another path.' },
    },
    examples: [{ method: 405, path: 404 }],
  },
  describe: ({ method, path }) => `${method} for another method, ${path} for another path`,
};
