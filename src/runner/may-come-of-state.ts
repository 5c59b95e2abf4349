import type { CheckId } from '../check/check-id.ts';
import type { Finding } from '../check/finding.ts';
import type { SessionRecord } from './create-session.ts';
import { mayBeStored } from './may-be-stored.ts';
import { recordsThatShow } from './records-that-show.ts';

const checks = new Set<CheckId>([
  'undeclared-constraint',
  'refused-leaves-trace',
  'twin-keys',
  'credential-spelling',
  'media-type-spelling',
  'parity',
]);

/** Drift that is a refusal of a valid request, by a status that may speak of a key that exists. */
const refusedDrift =
  /^(?:accept|body-limit|constraints|duplicate-keys-in-json|int64-range|integer-notation|undeclared-properties|unsupported-media-type) (?:400|409|422)$/u;

/**
 * Whether a finding may come of what a live store holds since last week: it says nothing then unless it comes
 * back for keys far apart, each time. 409, 422 and a redirection may speak of a key that exists, and an echo that
 * is wrong in every way may be what was stored.
 *
 * @param records - those that the finding rests on
 */
export function mayComeOfState(finding: Finding, records: readonly SessionRecord[]): boolean {
  const { check, cause } = finding;
  if (check === 'echo') {
    return recordsThatShow(finding, records).some(({ judged }) => mayBeStored(judged));
  }
  if (check === 'drift') {
    return refusedDrift.test(cause);
  }
  return checks.has(check) || (check === 'undeclared-status' && /^(?:3\d\d|409|422)$/u.test(cause));
}
