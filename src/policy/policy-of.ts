import type { Policy } from './policy.ts';

const known = new WeakMap<Policy, Map<string, Policy>>();

/**
 * The policy for one operation: its own answers before those of the whole service.
 *
 * @param operationId - undefined where a request reached no operation
 */
export function policyOf(policy: Policy, operationId: string | undefined): Policy {
  const { operations } = policy;
  const own = operationId === undefined ? undefined : operations?.[operationId];
  if (operationId === undefined || own === undefined) {
    return policy;
  }
  const ofPolicy = known.get(policy) ?? new Map<string, Policy>();
  const merged = ofPolicy.get(operationId) ?? { ...policy, ...own };
  known.set(policy, ofPolicy.set(operationId, merged));
  return merged;
}
