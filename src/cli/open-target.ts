import type { Contract } from '../contract/contract.ts';
import type { Policy } from '../policy/policy.ts';
import type { Target } from '../runner/target.ts';
import { openMockTarget } from './open-mock-target.ts';
import { openService } from './open-service.ts';
import type { TestArguments } from './test-arguments.ts';

/**
 * Opens what a run is to test: the base URL, or the in-process mock where there is none.
 *
 * @param run.given - the answers that the service is held to, and that the mock gives
 * @throws ClocheError OPTION_INVALID for a base URL, a header or a certificate that cannot be used
 */
export async function openTarget(run: {
  readonly contract: Contract;
  readonly input: TestArguments;
  readonly given: Partial<Policy>;
}): Promise<Target> {
  const { contract, input, given } = run;
  const { 'base-url': baseUrl, token } = input;
  return baseUrl === undefined
    ? openMockTarget(contract, given)
    : openService({ baseUrl, token, contract, input, given });
}
