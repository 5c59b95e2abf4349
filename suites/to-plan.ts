import type { Property, SuitePlan } from '../src/runner/suite.ts';

/** A plan of properties, or the reason why there are none. */
export function toPlan(properties: readonly Property[], reason: string): SuitePlan {
  return properties.length === 0 ? { kind: 'not-applicable', reason } : { kind: 'properties', properties };
}
