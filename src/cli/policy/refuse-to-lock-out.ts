import type { Contract } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import type { Policy } from '../../policy/policy.ts';

/**
 * Refuses a policy that lets in the tokens of a list, where there is no list: a mock would turn everybody away.
 *
 * @throws ClocheError OPTION_INVALID
 */
export function refuseToLockOut(input: {
  readonly contract: Contract;
  readonly given: Partial<Policy>;
  readonly tokens: readonly string[];
}): void {
  const { contract, given, tokens } = input;
  const isListed = contract.operations.some(
    ({ id, security }) =>
      security.length > 0 &&
      (given.operations?.[id]?.['accepted-tokens'] ?? given['accepted-tokens']) === 'listed',
  );
  if (isListed && tokens.length === 0) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'use the policy',
      subject: 'accepted-tokens: listed',
      reason: 'no token is listed, so that the mock would turn everybody away',
      remedy: 'Give one with --token, or --answer accepted-tokens=any',
    });
  }
}
