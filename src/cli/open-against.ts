import type { Contract } from '../contract/contract.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import type { Policy } from '../policy/policy.ts';
import type { Against } from '../runner/parity/against.ts';
import type { Target } from '../runner/target.ts';
import { openMockTarget } from './open-mock-target.ts';
import { openService } from './open-service.ts';
import { refuseUserinfo } from './refuse-userinfo.ts';
import type { TestArguments } from './test-arguments.ts';

function refuse(subject: string, reason: string, remedy: string): ClocheError {
  return new ClocheError('OPTION_INVALID', { attempt: 'compare with', subject, reason, remedy });
}

async function openOther(
  against: string,
  { contract, input, given }: Parameters<typeof openAgainst>[0],
): Promise<Target> {
  // What our document says binds the other service too; what this one is told does not.
  return against === 'mock'
    ? openMockTarget(contract, given)
    : openService({
        baseUrl: against,
        token: input['against-token'] ?? input.token,
        contract,
        input,
        given: {},
      });
}

/**
 * Opens what a run compares the service with: an in-process mock, or what lives at another base URL.
 *
 * @param run.given - the answers that the mock gives
 * @returns undefined where nothing is to be compared
 * @throws ClocheError OPTION_INVALID for what is neither, for a mock that would be compared with itself, and for a
 * token without a service that it is for
 */
export async function openAgainst(run: {
  readonly contract: Contract;
  readonly input: TestArguments;
  readonly given: Partial<Policy>;
}): Promise<(Target & Against) | undefined> {
  const { against, 'base-url': baseUrl, 'against-token': token } = run.input;
  if (against === undefined) {
    if (token !== undefined) {
      throw new ClocheError('OPTION_INVALID', {
        attempt: 'use',
        subject: '--against-token',
        reason: 'there is no service that it would be for',
        remedy: 'Name the other service with --against',
      });
    }
    return undefined;
  }
  const remedy = 'Write --against mock, or --against and a base URL';
  refuseUserinfo(against, {
    what: 'the base URL',
    remedy: 'Leave them out, and pass credentials with --against-token or --header',
  });
  if (against !== 'mock' && !/^https?:\/\//iu.test(against)) {
    throw refuse(against, 'it is neither mock nor an http or https URL', remedy);
  }
  if (against === (baseUrl ?? 'mock')) {
    throw refuse(against, 'it would be compared with itself', 'Name two services that may differ');
  }
  const isMockTested = baseUrl === undefined;
  const other = against === 'mock' ? 'the mock' : isMockTested ? 'the service' : 'the other service';
  const target = await openOther(against, run);
  return { ...target, names: { tested: isMockTested ? 'the mock' : 'the service', other } };
}
