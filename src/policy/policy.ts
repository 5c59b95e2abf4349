import type { BehaviourValues, BehaviourId } from './behaviour.ts';
import { behaviourIds, behaviours } from './behaviours/index.ts';

/** The values of behaviours for a whole service, and values that replace them for single operations. */
export interface Policy extends BehaviourValues {
  /** By the id of the operation. */
  readonly operations?: Readonly<Record<string, Partial<BehaviourValues>>>;
}

/** The policy of the mock if nothing else is configured. */
export const defaultPolicy: Policy = createPolicy({});

/** Creates a policy from values that differ from the defaults: `createPolicy({ 'duplicate-key': 'conflict' })`. */
export function createPolicy(answers: Partial<Policy>): Policy {
  const defaults = Object.fromEntries(
    Object.values(behaviours).map((question) => [question.id, question.default]),
  );
  // `as`: the keys are exactly the ids of the behaviours, each with one of its values.
  return { ...defaults, ...answers } as Policy;
}

/** Describes a value as a short phrase: `409 with an error body` for the `conflict` of `duplicate-key`. */
export function describeValue<Id extends BehaviourId>(id: Id, answer: BehaviourValues[Id]): string {
  // `as`: the behaviour of an id describes only the values of that id, which TypeScript cannot relate.
  const { describe } = behaviours[id] as { readonly describe: (answer: BehaviourValues[Id]) => string };
  return describe(answer);
}

const known = new WeakMap<Policy, Map<string, Policy>>();

/** Returns the policy for an operation, if a request reached one: its values override those of the service. */
export function policyOf(policy: Policy, operationId: string | undefined): Policy {
  const { operations } = policy;
  const own = operationId === undefined ? undefined : operations?.[operationId];
  if (operationId === undefined || own === undefined || Object.keys(own).length === 0) return policy;
  const ofPolicy = known.get(policy) ?? new Map<string, Policy>();
  const merged = ofPolicy.get(operationId) ?? { ...policy, ...own };
  known.set(policy, ofPolicy.set(operationId, merged));
  return merged;
}

/** The ids of all behaviours. A run enforces them if its policy is whole, like that of the in-process mock. */
export const everyBehaviour: ReadonlySet<BehaviourId> = new Set(behaviourIds);

/** Returns the behaviours that have a value for the whole service. A run can enforce these. */
export function enforcedQuestions(given: Partial<Policy>): ReadonlySet<BehaviourId> {
  return new Set([...everyBehaviour].filter((id) => given[id] !== undefined));
}

/** The values that a run always reads from the policy file beside its document. */
export type RunAnswers = Partial<Pick<Policy, 'echo' | 'accepted-tokens' | 'operations'>>;

/** The policy that a run applies to a service if its document does not specify a behaviour. */
export interface EnforcedPolicy {
  readonly policy: Policy;
  /** The behaviours that the run enforces, besides those with a value for one operation. */
  readonly enforced: ReadonlySet<BehaviourId>;
  /** The severity of a create whose response differs from the request; undefined if this is not checked. */
  readonly echo: 'violation' | 'warning' | undefined;
}

/**
 * Returns the policy that a run applies to a service if its document does not specify a behaviour. The run enforces
 * only the given values. A behaviour that the policy omits is not enforced.
 *
 * @param input.beside - the values in the policy file beside the document
 */
export function holdPolicy(input: {
  readonly beside: RunAnswers;
  readonly given: Partial<Policy>;
}): EnforcedPolicy {
  const { beside, given } = input;
  const echo = given.echo ?? beside.echo;
  const enforcedEcho = echo === 'exact' ? 'violation' : undefined;
  const tokens = given['accepted-tokens'] ?? beside['accepted-tokens'] ?? 'listed';
  const ids = operationIds(beside, given);
  const operations = Object.fromEntries(
    ids.map((id) => [id, { ...beside.operations?.[id], ...given.operations?.[id] }]),
  );
  return {
    policy: createPolicy({ ...given, 'accepted-tokens': tokens, ...(ids.length > 0 && { operations }) }),
    enforced: enforcedQuestions(given),
    echo: echo === undefined ? 'warning' : enforcedEcho,
  };
}

/** Merges values with overriding ones. A new value for the whole service overrides those of its operations too. */
export function mergeAnswers(under: Partial<Policy>, over: Partial<Policy>): Partial<Policy> {
  const settled: ReadonlySet<string> = enforcedQuestions(over);
  const operations = operationIds(under, over).map((id): readonly [string, Partial<BehaviourValues>] => {
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
