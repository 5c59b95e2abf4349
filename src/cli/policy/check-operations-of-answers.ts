import type { Contract } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { pointerTokens } from '../../json/json-pointer.ts';
import { checkAgainstContract } from '../../policy/check-against-contract.ts';
import type { Policy } from '../../policy/policy.ts';

/**
 * Holds the answers of `--answer` against a contract.
 *
 * @throws ClocheError OPTION_INVALID for an operation or a property that the contract does not have
 */
export function checkOperationsOfAnswers(answers: Partial<Policy>, contract: Contract): void {
  const [problem] = checkAgainstContract(answers, contract);
  if (problem !== undefined) {
    const [, ...names] = pointerTokens(problem.pointer);
    const [first = '', question] = names;
    const isOfOperation = problem.pointer.startsWith('/operations/');
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: `--answer ${isOfOperation ? `${first}:${question ?? ''}` : first}`,
      reason: problem.reason,
      remedy: problem.remedy,
    });
  }
}
