import type { ReportedFinding } from './reported-finding.ts';

/**
 * Where a finding of traffic was seen, the one that is shown first, in words:
 * `entry 3 of session.har, last entry 9 of session.har`.
 *
 * @returns undefined for a finding of a run, which is replayed
 */
export function describePlaces(found: ReportedFinding): string | undefined {
  if (!('seenAt' in found)) {
    return undefined;
  }
  const { first, last, example } = found.seenAt;
  return [
    example,
    ...(first === example ? [] : [`first ${first}`]),
    ...(last === example || last === first ? [] : [`last ${last}`]),
  ].join(', ');
}
