import type { Contract } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { pointerTokens } from '../../json/json-pointer.ts';
import { checkOperationIds } from '../../policy/check-operation-ids.ts';
import type { Policy } from '../../policy/policy.ts';

/**
 * Holds the answers of `--answer` against a contract.
 *
 * @throws ClocheError OPTION_INVALID for an operation that the contract does not have
 */
export function checkOperationsOfAnswers({ operations }: Partial<Policy>, contract: Contract): void {
  const [problem] = checkOperationIds(operations, contract);
  if (problem !== undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: `--answer ${pointerTokens(problem.pointer).join('')}:`,
      reason: problem.reason,
      remedy: problem.remedy,
    });
  }
}
