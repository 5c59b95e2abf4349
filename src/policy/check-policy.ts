import type { Contract } from '../contract/contract.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { pointerTokens } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { checkAgainstContract } from './check-against-contract.ts';
import { parsePolicy } from './parse-policy.ts';
import type { Policy } from './policy.ts';

/**
 * Checks answers that a program gives, rather than a file.
 *
 * @returns them, without what is undefined
 * @throws ClocheError POLICY_INVALID for an unknown question, an impossible answer, and an operation or a property that there is not
 */
export function checkPolicy(policy: Partial<Policy>, contract: Contract): Partial<Policy> {
  const { operations = {}, ...answers } = policy;
  const given = Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer !== undefined));
  // `as`: answers are JSON, but for being read only.
  const [problem] = parsePolicy({ answers: given, operations } as unknown as JsonValue).problems;
  const [stray] = problem === undefined ? checkAgainstContract(policy, contract) : [];
  const found = problem ?? stray;
  if (found !== undefined) {
    throw new ClocheError('POLICY_INVALID', {
      attempt: 'read the policy at',
      subject: pointerTokens(found.pointer)
        .join('.')
        .replace(/^answers\./u, ''),
      reason: found.reason,
      remedy: found.remedy,
    });
  }
  return { ...given, ...(Object.keys(operations).length === 0 ? {} : { operations }) };
}
