import type { QuestionId } from './question.ts';
import { type Answers, questions } from './questions/index.ts';

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

/**
 * An answer as a short phrase.
 *
 * @example
 * describeAnswer('duplicate-key', 'conflict'); // '409 with an error body'
 */
export function describeAnswer<Id extends QuestionId>(id: Id, answer: Answers[Id]): string {
  // `as`: the question of an id describes just the answers of that id, which TypeScript cannot relate.
  const { describe } = questions[id] as { readonly describe: (answer: Answers[Id]) => string };
  return describe(answer);
}

const known = new WeakMap<Policy, Map<string, Policy>>();

/**
 * The policy for one operation: its own answers before those of the whole service.
 *
 * @param operationId - undefined where a request reached no operation
 */
export function policyOf(policy: Policy, operationId: string | undefined): Policy {
  const { operations } = policy;
  const own = operationId === undefined ? undefined : operations?.[operationId];
  if (operationId === undefined || own === undefined) return policy;
  const ofPolicy = known.get(policy) ?? new Map<string, Policy>();
  const merged = ofPolicy.get(operationId) ?? { ...policy, ...own };
  known.set(policy, ofPolicy.set(operationId, merged));
  return merged;
}
