import { type QuestionId, questions } from './questions.ts';

/** One answer to each question. */
export type Policy = { readonly [Id in QuestionId]: (typeof questions)[Id]['default'] };

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
