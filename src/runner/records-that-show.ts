import type { Finding } from '../check/finding.ts';
import type { SessionRecord } from './create-session.ts';
import { isSameCause } from './is-same-cause.ts';

/** The records whose own exchange shows a finding; none where it was concluded from several together. */
export function recordsThatShow(
  finding: Finding,
  records: readonly SessionRecord[],
): readonly SessionRecord[] {
  return records.filter(({ judged }) => judged.findings.some((other) => isSameCause(other, finding)));
}
