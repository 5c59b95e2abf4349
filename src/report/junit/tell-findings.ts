import type { ReportedFinding } from '../reported-finding.ts';
import type { ReportOptions } from '../report-options.ts';
import { findingText } from './finding-text.ts';

/** Findings that fail nothing, as what a test has to say besides; empty where there are none. */
export function tellFindings(told: readonly ReportedFinding[], options: ReportOptions): string {
  return told
    .map((found) => {
      const { known } = found;
      const why = known === undefined ? '' : `Known, and may pass: ${known.reason ?? 'no reason is given'}\n`;
      return `${why}${findingText(found, options)}`;
    })
    .join('\n\n');
}
