import type { RunResult } from '../runner/run-event.ts';
import { plural } from './plural.ts';
import { type FindingSurroundings, renderFinding } from './render-finding.ts';
import { renderBaseline } from './render-baseline.ts';
import { renderCoverageLine, renderCoverageTable } from './render-coverage.ts';
import { renderDriftHint } from './render-drift-hint.ts';
import { renderHint } from './render-hint.ts';
import { renderBrokenOff } from './render-broken-off.ts';
import { renderNotChecked } from './render-not-checked.ts';
import { renderParity } from './parity/render-parity.ts';
import { renderObservations } from './render-observations.ts';
import { renderVerdict } from './render-verdict.ts';
import { wrapText } from './wrap-text.ts';

/** What the end of a run needs besides its result. */
export interface SummaryOptions extends FindingSurroundings {
  /** What each secret is, in words, in the order of the secrets. */
  readonly secretMeanings: readonly string[];
  /** The property that was replayed, `suite/property`. */
  readonly replayed: string | undefined;
  /** The cases that were planned. */
  readonly planned: number;
  /** False where the run ended before its end, as the service can no longer be judged. */
  readonly isWhole: boolean;
  /**
   * Whether all that was exercised of the contract is told, and not only in a line.
   *
   * @defaultValue false
   */
  readonly coverage?: boolean;
}

function renderCases(cases: number, { planned, replayed }: SummaryOptions): string {
  if (replayed !== undefined || cases === planned) {
    return plural(cases, 'case');
  }
  const all = planned.toLocaleString('en-US');
  return cases < planned
    ? `${cases.toLocaleString('en-US')} of ${plural(planned, 'planned case')}`
    : `${plural(cases, 'case')} (${all} planned, ${(cases - planned).toLocaleString('en-US')} to narrow failures down)`;
}

/** What else may be done where a case did not show again what it had shown. */
function renderReplayHint(
  { findings, seed }: RunResult,
  { replayed, isWhole, width }: SummaryOptions,
): readonly string[] {
  if (replayed === undefined || findings.length > 0 || !isWhole) {
    return [];
  }
  const [suite = replayed] = replayed.split('/', 1);
  const words = `What takes other requests beside it, or comes now and then, may not show in one case: --suite ${suite} --seed ${seed} runs all of them.`;
  return wrapText(words, { width, indent: 2 });
}

/** The end of a run as lines of text: findings, silences, what was not checked, and the figures. */
export function renderSummary(result: RunResult, options: SummaryOptions): readonly string[] {
  const { paint, width } = options;
  const told = result.findings.filter(({ known }) => known === undefined);
  const findings = told.flatMap((finding) => ['', ...renderFinding(finding, options)]);
  const brokenOff = renderBrokenOff(result, options);
  const hint = renderHint([...findings, ...brokenOff], {
    meanings: options.secretMeanings,
    about: 'The requests carry keys that this run has not sent.',
  });
  const cases = result.properties.reduce((sum, property) => sum + property.cases, 0);
  const waits = result.waits > 0 ? `, asked to wait ${plural(result.waits, 'time')}` : '';
  const figures = [
    plural(result.properties.length, 'property', 'properties'),
    renderCases(cases, options),
    `${plural(result.requests, 'request')} in ${(result.durationMs / 1_000).toFixed(1)} s${waits}`,
  ];
  return [
    ...findings,
    ...brokenOff,
    ...hint.map((line) => (line === '' ? line : paint('faint', line))),
    ...renderDriftHint(told, options),
    ...renderBaseline(result, options),
    ...renderParity(result, options),
    ...renderObservations(result, options),
    ...renderNotChecked(result, options),
    ...(options.coverage === true ? renderCoverageTable(result.coverage, options) : []),
    '',
    renderVerdict(result, options),
    ...renderReplayHint(result, options),
    ...(options.replayed === undefined ? renderCoverageLine(result.coverage, options) : []),
    ...wrapText(`${figures.join(', ')}. Seed ${result.seed}.`, { width, indent: 0 }),
  ];
}
