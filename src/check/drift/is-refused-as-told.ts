import type { CheckContext } from '../check-context.ts';
import type { Subject } from '../exchange-check.ts';
import { breaksConstraints } from './breaks-constraints.ts';

/** Whether the policy that the run was told says that a valid body is refused, for its size or for a value in it. */
export function isRefusedAsTold({ request }: Subject, { policy, told }: CheckContext): boolean {
  const { body, bodyBytes } = request;
  const isTooLarge = told.has('body-limit') && bodyBytes > policy['body-limit'].bytes;
  const isOutOfBounds =
    told.has('constraints') && body.kind === 'valid' && breaksConstraints(policy.constraints, body.value);
  return isTooLarge || isOutOfBounds;
}
