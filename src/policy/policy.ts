import type { Answers, QuestionId } from './question.ts';
import { questionIds, questions } from './questions/index.ts';

/** The answers that hold for a whole service, and those that hold for single operations instead. */
export interface Policy extends Answers {
  /** By the id of the operation. */
  readonly operations?: Readonly<Record<string, Partial<Answers>>>;
}

/** The answers that the mock gives where nobody says otherwise. */
export const defaultPolicy: Policy = createPolicy({});

/** A whole policy from the answers that differ from the defaults: `createPolicy({ 'duplicate-key': 'conflict' })`. */
export function createPolicy(answers: Partial<Policy>): Policy {
  const defaults = Object.fromEntries(
    Object.values(questions).map((question) => [question.id, question.default]),
  );
  // `as`: the keys are just those of the questions, each with an answer to it.
  return { ...defaults, ...answers } as Policy;
}

/** An answer as a short phrase: `409 with an error body` for the `conflict` of `duplicate-key`. */
export function describeAnswer<Id extends QuestionId>(id: Id, answer: Answers[Id]): string {
  // `as`: the question of an id describes just the answers of that id, which TypeScript cannot relate.
  const { describe } = questions[id] as { readonly describe: (answer: Answers[Id]) => string };
  return describe(answer);
}

const known = new WeakMap<Policy, Map<string, Policy>>();

/** The policy for an operation, if a request reached one: its own answers before those of the whole service. */
export function policyOf(policy: Policy, operationId: string | undefined): Policy {
  const { operations } = policy;
  const own = operationId === undefined ? undefined : operations?.[operationId];
  if (operationId === undefined || own === undefined || Object.keys(own).length === 0) return policy;
  const ofPolicy = known.get(policy) ?? new Map<string, Policy>();
  const merged = ofPolicy.get(operationId) ?? { ...policy, ...own };
  known.set(policy, ofPolicy.set(operationId, merged));
  return merged;
}

/** The ids of all questions: what a run is told whose policy is whole, as that of the in-process mock is. */
export const everyQuestion: ReadonlySet<QuestionId> = new Set(questionIds);

/** The questions that given answers settle for the whole service, and that it can be held to. */
export function enforcedQuestions(given: Partial<Policy>): ReadonlySet<QuestionId> {
  return new Set([...everyQuestion].filter((id) => given[id] !== undefined));
}

/** The answers that a run takes from the policy beside its document in any case. */
export type RunAnswers = Partial<Pick<Policy, 'echo' | 'accepted-tokens' | 'operations'>>;

/** What a service is judged by where its document is silent. */
export interface HeldPolicy {
  readonly policy: Policy;
  /** The questions whose answers the service is held to, besides those that the policy answers for one operation. */
  readonly enforced: ReadonlySet<QuestionId>;
  /** What a create that does not answer with what was sent is worth; undefined where it is not judged. */
  readonly echo: 'violation' | 'warning' | undefined;
}

/**
 * What a service is judged by where its document is silent. It is held to the answers that a run is given, and to no
 * other; what a policy leaves out says nothing.
 *
 * @param input.beside - what the policy beside the document says
 */
export function holdPolicy(input: {
  readonly beside: RunAnswers;
  readonly given: Partial<Policy>;
}): HeldPolicy {
  const { beside, given } = input;
  const echo = given.echo ?? beside.echo;
  const tokens = given['accepted-tokens'] ?? beside['accepted-tokens'] ?? 'listed';
  const ids = operationIds(beside, given);
  const operations = Object.fromEntries(
    ids.map((id) => [id, { ...beside.operations?.[id], ...given.operations?.[id] }]),
  );
  return {
    policy: createPolicy({ ...given, 'accepted-tokens': tokens, ...(ids.length > 0 && { operations }) }),
    enforced: enforcedQuestions(given),
    echo: echo === undefined ? 'warning' : echo === 'exact' ? 'violation' : undefined,
  };
}

/** Answers, and others over them: what is said last of the whole service is said of each of its operations too. */
export function mergeAnswers(under: Partial<Policy>, over: Partial<Policy>): Partial<Policy> {
  const settled: ReadonlySet<string> = enforcedQuestions(over);
  const operations = operationIds(under, over).map((id): readonly [string, Partial<Answers>] => {
    const kept = Object.entries(under.operations?.[id] ?? {}).filter(([question]) => !settled.has(question));
    return [id, { ...Object.fromEntries(kept), ...over.operations?.[id] }];
  });
  const own = operations.filter(([, answers]) => Object.keys(answers).length > 0);
  const { operations: _under, ...below } = under;
  return { ...below, ...over, ...(own.length === 0 ? {} : { operations: Object.fromEntries(own) }) };
}

function operationIds(...policies: readonly Pick<Partial<Policy>, 'operations'>[]): readonly string[] {
  return [...new Set(policies.flatMap(({ operations = {} }) => Object.keys(operations)))];
}
