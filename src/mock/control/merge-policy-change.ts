import { mergeAnswers } from '../../policy/merge-answers.ts';
import type { Answers, Policy } from '../../policy/policy.ts';

/** Answers, or null for those that are taken back. */
type AnswerChange = { readonly [Id in keyof Answers]?: Answers[Id] | null };

/** What is to change of a policy. */
export interface PolicyChange {
  readonly answers?: AnswerChange;
  /** By the id of the operation; null takes back all that it has. */
  readonly operations?: Readonly<Record<string, AnswerChange | null>>;
}

function givenOf(change: AnswerChange): Partial<Answers> {
  // `as`: what is left are answers to their questions.
  return Object.fromEntries(
    Object.entries(change).filter(([, answer]) => answer !== null),
  ) as Partial<Answers>;
}

/** Leaves out what a change takes back. */
function withoutTaken<Holder extends object>(holder: Holder, change: object): Holder {
  const taken = new Set(
    Object.entries(change)
      .filter(([, answer]) => answer === null)
      .map(([name]) => name),
  );
  // `as`: members are left out that may be.
  return Object.fromEntries(Object.entries(holder).filter(([name]) => !taken.has(name))) as Holder;
}

/** The answers that a policy is made of when some of them change. */
export function mergePolicyChange(given: Partial<Policy>, change: PolicyChange): Partial<Policy> {
  const { answers = {}, operations = {} } = change;
  const told = Object.entries(operations).map(([id, each]) => [id, givenOf(each ?? {})] as const);
  const merged = mergeAnswers(given, { ...givenOf(answers), operations: Object.fromEntries(told) });
  const { operations: ofOperations = {}, ...ofService } = merged;
  const left = Object.entries(withoutTaken(ofOperations, operations)).map(([id, each]) => {
    const own = Object.hasOwn(operations, id) ? operations[id] : undefined;
    return [id, withoutTaken(each, own ?? {})] as const;
  });
  return {
    ...withoutTaken(ofService, answers),
    operations: Object.fromEntries(left.filter(([, each]) => Object.keys(each).length > 0)),
  };
}
