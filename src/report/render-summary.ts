import type { RunResult } from '../runner/run-event.ts';
import { plural } from './plural.ts';
import { type FindingSurroundings, renderFinding } from './render-finding.ts';
import { renderBrokenOff } from './render-broken-off.ts';
import { renderNotChecked } from './render-not-checked.ts';
import { renderObservations } from './render-observations.ts';
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
}

/** What is to be done before a line of a finding is pasted; its own command is on a line of its own. */
function renderHint(lines: readonly string[], meanings: readonly string[]): readonly string[] {
  if (lines.length === 0) {
    return [];
  }
  const wanted = meanings.flatMap((meaning, index) => {
    const name = index === 0 ? 'CLOCHE_TOKEN' : `CLOCHE_TOKEN_${index + 1}`;
    return lines.some((line) => new RegExp(`\\$\\{?${name}(?!\\w)`, 'u').test(line))
      ? [`${name}='${meaning}'`]
      : [];
  });
  return [
    '',
    `The requests carry keys that this run has not sent.${wanted.length === 0 ? '' : ' Before you paste one:'}`,
    ...(wanted.length === 0 ? [] : [`  export ${wanted.join(' ')}`]),
  ];
}

function renderVerdict({ findings, interrupted }: RunResult, { paint, isWhole }: SummaryOptions): string {
  const count = (level: string): number => findings.filter(({ finding }) => finding.level === level).length;
  const violations = count('violation');
  const advice = count('advice');
  const beginning = interrupted ? 'Interrupted: ' : isWhole ? '' : 'Broken off: ';
  const none = beginning === '' ? 'No violation' : 'no violation';
  const verdict = violations > 0 ? paint('violation', plural(violations, 'violation')) : paint('good', none);
  const soFar = beginning === '' ? '' : ' so far';
  return `${beginning}${verdict}${soFar}, ${advice === 0 ? 'no advice' : plural(advice, 'piece of advice', 'pieces of advice')}.`;
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

/** The end of a run as lines of text: findings, silences, what was not checked, and the figures. */
export function renderSummary(result: RunResult, options: SummaryOptions): readonly string[] {
  const { paint, width } = options;
  const findings = result.findings.flatMap((finding) => ['', ...renderFinding(finding, options)]);
  const brokenOff = renderBrokenOff(result, options);
  const hint = renderHint([...findings, ...brokenOff], options.secretMeanings);
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
    ...renderObservations(result, options),
    ...renderNotChecked(result, options),
    '',
    renderVerdict(result, options),
    ...wrapText(`${figures.join(', ')}. Seed ${result.seed}.`, { width, indent: 0 }),
  ];
}
