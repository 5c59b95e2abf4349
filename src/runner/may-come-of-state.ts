import type { CheckId } from '../check/check-id.ts';
import type { Finding } from '../check/finding.ts';

const checks = new Set<CheckId>([
  'undeclared-constraint',
  'refused-leaves-trace',
  'twin-keys',
  'credential-spelling',
  'media-type-spelling',
]);

/**
 * Whether a finding may come of what a live store holds since last week: it says nothing then unless it comes
 * back for keys far apart, each time. 409, 422 and a redirection may speak of a key that exists.
 */
export function mayComeOfState({ check, cause }: Finding): boolean {
  return checks.has(check) || (check === 'undeclared-status' && /^(?:3\d\d|409|422)$/u.test(cause));
}
