import type { RunAnswers } from './policy-file.ts';
import { createPolicy, type Policy } from './policy.ts';
import type { QuestionId } from './question.ts';
import { type Answers, questions } from './questions/index.ts';

/** The ids of all questions: what a run is told whose policy is whole, as that of the in-process mock is. */
export const everyQuestion: ReadonlySet<QuestionId> = new Set(Object.values(questions).map(({ id }) => id));

/** The questions that given answers settle for the whole service, and that it can be held to. */
export function toldQuestions(given: Partial<Policy>): ReadonlySet<QuestionId> {
  const ids = Object.values(questions).map(({ id }) => id);
  return new Set(ids.filter((id) => given[id] !== undefined));
}

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

/**
 * Answers over others. What is said last of the whole service is said of each of its operations too.
 *
 * @param over - wins where both answer a question
 */
export function mergeAnswers(under: Partial<Policy>, over: Partial<Policy>): Partial<Policy> {
  const settled: ReadonlySet<string> = toldQuestions(over);
  const ids = new Set([...Object.keys(under.operations ?? {}), ...Object.keys(over.operations ?? {})]);
  const operations = [...ids].map((id): readonly [string, Partial<Answers>] => {
    const kept = Object.entries(under.operations?.[id] ?? {}).filter(([question]) => !settled.has(question));
    return [id, { ...Object.fromEntries(kept), ...over.operations?.[id] }];
  });
  const own = operations.filter(([, answers]) => Object.keys(answers).length > 0);
  const { operations: _under, ...below } = under;
  return { ...below, ...over, ...(own.length === 0 ? {} : { operations: Object.fromEntries(own) }) };
}
