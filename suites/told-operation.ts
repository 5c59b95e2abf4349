import { plainRequest } from '../src/arbitrary/plain-request.ts';
import type { PlainBody } from '../src/arbitrary/plain-body.ts';
import type { Operation } from '../src/contract/operation.ts';
import { policyOf } from '../src/policy/policy-of.ts';
import type { Answers } from '../src/policy/policy.ts';
import type { QuestionId } from '../src/policy/question-id.ts';
import type { SuiteInput } from '../src/runner/suite.ts';

/** An operation, and the answers that the run was told to hold it to. */
export interface ToldOperation {
  readonly operation: Operation;
  /** The plain JSON bodies that it takes, where it takes any. */
  readonly body: PlainBody | undefined;
  readonly told: Partial<Answers>;
}

/** The operations that a plain request can be made for, each with what the run was told of it. */
export function toldOperations({ contract, policy, told = new Set() }: SuiteInput): readonly ToldOperation[] {
  return contract.operations.flatMap((operation): ToldOperation[] => {
    const { body, problem } = plainRequest(operation);
    if (problem !== undefined) {
      return [];
    }
    const own = policy.operations?.[operation.id] ?? {};
    // `as`: the keys of a policy are questions, and the one that is none is left out.
    const ids = [...told, ...(Object.keys(own) as QuestionId[])];
    const answers = policyOf(policy, operation.id);
    const given = Object.fromEntries(ids.map((id) => [id, answers[id]]));
    return [{ operation, body: body.kind === 'body' ? body.body : undefined, told: given }];
  });
}
