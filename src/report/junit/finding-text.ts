import { createPaint } from '../../errors/console-text.ts';
import { renderFinding } from '../render-finding.ts';
import type { ReportedFinding } from '../reported-finding.ts';
import type { ReportOptions } from '../report-options.ts';

const paint = createPaint(false);

/** A finding as a test tells it. */
export function findingText(found: ReportedFinding, options: ReportOptions): string {
  return renderFinding(found, { ...options, paint }).join('\n');
}
