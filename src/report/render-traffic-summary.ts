import type { TrafficResult } from '../runner/traffic-event.ts';
import { describeTraffic } from './describe-traffic.ts';
import { renderBaseline } from './render-baseline.ts';
import { renderCoverageLine, renderCoverageTable } from './render-coverage.ts';
import { renderFinding } from './render-finding.ts';
import { renderDriftHint } from './render-drift-hint.ts';
import { renderHint } from './render-hint.ts';
import { renderNotChecked } from './render-not-checked.ts';
import { renderObservations } from './render-observations.ts';
import type { SummaryOptions } from './render-summary.ts';
import { renderUnjudged } from './render-unjudged.ts';
import { renderVerdict } from './render-verdict.ts';
import { wrapText } from './wrap-text.ts';

/** The end of judged traffic as lines of text: findings, silences, what was not judged, and the figures. */
export function renderTrafficSummary(
  result: TrafficResult,
  options: Omit<SummaryOptions, 'planned' | 'replayed'>,
): readonly string[] {
  const { paint, width } = options;
  const told = result.findings.filter(({ known }) => known === undefined);
  const findings = told.flatMap((finding) => ['', ...renderFinding(finding, options)]);
  const hint = renderHint(findings, {
    meanings: options.secretMeanings,
    about: 'The requests are as they were sent, their keys too.',
  });
  return [
    ...findings,
    ...hint.map((line) => (line === '' ? line : paint('faint', line))),
    ...renderDriftHint(told, options),
    ...renderBaseline(result, options),
    ...renderObservations(result, options),
    ...renderUnjudged(result, options),
    ...renderNotChecked(result, { ...options, replayed: undefined }),
    ...(options.coverage === true ? renderCoverageTable(result.coverage, options) : []),
    '',
    renderVerdict(result, options),
    ...renderCoverageLine(result.coverage, options),
    ...wrapText(`${describeTraffic(result)}.`, { width, indent: 0 }),
  ];
}
