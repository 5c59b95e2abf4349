import type { ReportedFinding } from './reported-finding.ts';

/**
 * The command that shows a finding of a run again.
 *
 * @param command - what was tested, `npx cloche test http://127.0.0.1:4010`
 * @returns undefined for a finding of traffic, which cannot be replayed
 */
export function renderReplay(found: ReportedFinding, command: string): string | undefined {
  return 'replay' in found
    ? `${command} --seed ${found.replay.seed} --path '${found.replay.path}'`
    : undefined;
}
