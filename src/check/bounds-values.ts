import type { Policy } from '../policy/policy.ts';

/**
 * Whether a policy refuses values that their schema accepts, so that a refusal of a valid body says nothing
 * about any other question.
 */
export function boundsValues(policy: Policy): boolean {
  return policy['unique-properties'].length > 0 || Object.keys(policy.constraints).length > 0;
}
