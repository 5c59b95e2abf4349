import { quoteText } from '../http/quote-for-bash.ts';
import type { ReportedFinding } from './reported-finding.ts';

/**
 * The command that shows a finding of a run again.
 *
 * @param command - what was tested, `npx cloche test http://127.0.0.1:4010`
 * @returns undefined for a finding of traffic, which cannot be replayed, and where an operationId holds NUL, which no
 *   command line can
 */
export function renderReplay(found: ReportedFinding, command: string): string | undefined {
  if (!('replay' in found) || found.replay.path.includes('\0')) {
    return undefined;
  }
  const { seed, path } = found.replay;
  return `${command} --seed ${seed} --path ${quoteText(path)}`;
}
