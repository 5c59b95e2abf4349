import type { RunResult } from '../runner/run-event.ts';
import { type FindingSurroundings, renderFinding } from './render-finding.ts';

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

function renderObservations(result: RunResult): readonly string[] {
  const lines = result.observations.map(({ finding, count }) => {
    const question = finding.clause.kind === 'policy' ? finding.clause.question : finding.check;
    return `  ${question}: ${finding.received} (${finding.operation}, ${count}×)`;
  });
  return lines.length === 0 ? [] : ['', 'Left open by the document, and answered so:', ...lines.toSorted()];
}

function renderNotChecked(result: RunResult): readonly string[] {
  const lines = result.notChecked.map(({ what, reason }) => `  ${what}: ${reason}`);
  return lines.length === 0 ? [] : ['', 'Not checked:', ...lines];
}

/** The end of a run as lines of text: findings, silences, what was not checked, and the figures. */
export function renderSummary(result: RunResult, surroundings: FindingSurroundings): readonly string[] {
  const { paint } = surroundings;
  const count = (level: string): number =>
    result.findings.filter(({ finding }) => finding.level === level).length;
  const violations = count('violation');
  const advice = count('advice');
  const findings = result.findings.flatMap((finding) => ['', ...renderFinding(finding, surroundings)]);
  const hasCurl = result.findings.length > 0;
  const verdict =
    violations > 0
      ? paint('violation', plural(violations, 'violation'))
      : paint('good', result.interrupted ? 'no violation so far' : 'no violation');
  const cases = result.properties.reduce((sum, property) => sum + property.cases, 0);
  return [
    ...findings,
    ...(hasCurl
      ? [
          '',
          paint(
            'faint',
            'The requests carry keys that this run has not sent; set CLOCHE_TOKEN before pasting one.',
          ),
        ]
      : []),
    ...renderObservations(result),
    ...renderNotChecked(result),
    '',
    `${result.interrupted ? 'Interrupted. ' : ''}${verdict}, ${advice === 0 ? 'no advice' : plural(advice, 'piece of advice', 'pieces of advice')}.`,
    `${plural(result.properties.length, 'property', 'properties')}, ${plural(cases, 'case')}, ${plural(result.requests, 'request')} in ${(result.durationMs / 1_000).toFixed(1)} s${result.waits > 0 ? `, asked to wait ${plural(result.waits, 'time')}` : ''}. Seed ${result.seed}.`,
  ];
}
