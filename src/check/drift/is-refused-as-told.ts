import type { CheckContext } from '../check-context.ts';
import type { Subject } from '../exchange-check.ts';
import { undeclaredProperty } from '../undeclared-property.ts';
import { breaksConstraints } from './breaks-constraints.ts';

/** Whether the policy that the run was told says that a valid body is refused, for its size or for what is in it. */
export function isRefusedAsTold({ request }: Subject, { policy, told }: CheckContext): boolean {
  const { body, bodyBytes } = request;
  const isTooLarge = told.has('body-limit') && bodyBytes > policy['body-limit'].bytes;
  const isOutOfBounds =
    told.has('constraints') && body.kind === 'valid' && breaksConstraints(policy.constraints, body.value);
  const isUndeclared =
    told.has('undeclared-properties') &&
    policy['undeclared-properties'] === 'refuse' &&
    body.kind === 'valid' &&
    body.grade.kind === 'extreme' &&
    body.grade.oddities.some(({ words }) => words === undeclaredProperty);
  return isTooLarge || isOutOfBounds || isUndeclared;
}
