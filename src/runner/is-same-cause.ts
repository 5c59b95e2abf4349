import type { Finding } from '../check/finding.ts';

/** Whether two findings are sightings of one cause. */
export function isSameCause(left: Finding, right: Finding): boolean {
  return (
    left.check === right.check &&
    left.operation === right.operation &&
    left.cause === right.cause &&
    left.trigger === right.trigger
  );
}
