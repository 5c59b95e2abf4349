import { createPolicy, type Policy } from './policy.ts';
import type { QuestionId } from './question-id.ts';
import type { RunAnswers } from './run-answers.ts';
import { toldQuestions } from './told-questions.ts';

/** What a service is judged by where its document is silent. */
export interface HeldPolicy {
  readonly policy: Policy;
  /** The questions whose answers the service is held to, besides those that the policy answers for one operation. */
  readonly told: ReadonlySet<QuestionId>;
  /** What a create that does not answer with what was sent is worth; undefined where it is not judged. */
  readonly echo: 'violation' | 'advice' | undefined;
}

/**
 * What a service is judged by where its document is silent. It is held to the answers that are given, and to no other:
 * what a policy leaves out says nothing.
 *
 * @param input.beside - what the policy beside the document says
 * @param input.given - what a run was told
 */
export function holdPolicy(input: {
  readonly beside: RunAnswers;
  readonly given: Partial<Policy>;
}): HeldPolicy {
  const { beside, given } = input;
  const echo = given.echo ?? beside.echo;
  const tokens = given['accepted-tokens'] ?? beside['accepted-tokens'] ?? 'listed';
  const ids = new Set([...Object.keys(beside.operations ?? {}), ...Object.keys(given.operations ?? {})]);
  const operations = Object.fromEntries(
    [...ids].map((id) => [id, { ...beside.operations?.[id], ...given.operations?.[id] }]),
  );
  return {
    policy: createPolicy({
      ...given,
      'accepted-tokens': tokens,
      ...(ids.size === 0 ? {} : { operations }),
    }),
    told: toldQuestions(given),
    echo: echo === undefined ? 'advice' : echo === 'exact' ? 'violation' : undefined,
  };
}
