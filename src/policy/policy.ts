import type { QuestionId } from './question-id.ts';
import { questions } from './questions.ts';

/** One answer to each question. */
export type Answers = { readonly [Id in QuestionId]: (typeof questions)[Id]['default'] };

/** The answers that hold for a whole service, and those that hold for single operations instead. */
export interface Policy extends Answers {
  /** By the id of the operation. */
  readonly operations?: Readonly<Record<string, Partial<Answers>>>;
}

/** The answers that the mock gives where nobody says otherwise. */
export const defaultPolicy: Policy = createPolicy({});

/**
 * A whole policy from the answers that differ from the defaults.
 *
 * @example
 * createPolicy({ 'duplicate-key': 'conflict' });
 */
export function createPolicy(answers: Partial<Policy>): Policy {
  const defaults = Object.fromEntries(
    Object.values(questions).map((question) => [question.id, question.default]),
  );
  // `as`: the keys are just those of the questions, each with an answer to it.
  return { ...defaults, ...answers } as Policy;
}
