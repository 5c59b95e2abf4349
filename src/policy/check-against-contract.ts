import type { Contract } from '../contract/contract.ts';
import type { DocumentProblem } from '../document/document-problem.ts';
import { checkOperationIds } from './check-operation-ids.ts';
import { checkPropertyNames } from './check-property-names.ts';
import type { Policy } from './policy.ts';

/**
 * Says what a policy names that a contract does not have.
 *
 * @returns problems placed as in a policy file: `/operations/order`, `/answers/constraints/amount`
 */
export function checkAgainstContract(
  policy: Partial<Policy>,
  contract: Contract,
): readonly DocumentProblem[] {
  const unknown = checkOperationIds(policy.operations, contract).map((problem) => ({
    ...problem,
    pointer: `/operations${problem.pointer}`,
  }));
  return [...unknown, ...checkPropertyNames(policy, contract)];
}
