import type { Redactor } from '../../http/create-redactor.ts';
import type { Conclusions } from '../../runner/run-event.ts';
import type { CollectedRun } from '../collect-run.ts';
import { describeTraffic } from '../describe-traffic.ts';
import { findingTitles, renderClause } from '../finding-words.ts';
import { createPaint } from '../../errors/console-text.ts';
import { renderBoundary } from '../render-boundary.ts';
import { plural } from '../plural.ts';
import { renderConfirmation } from '../render-confirmation.ts';
import { renderReplay } from '../render-replay.ts';
import { renderRequests } from '../render-requests.ts';
import { renderVerdict } from '../render-verdict.ts';
import type { ReportedFinding } from '../reported-finding.ts';
import type { ReportOptions } from '../report-options.ts';
import { escapeMarkdown, fenceCode } from './markdown.ts';

/** A step may say no more than 1 MiB; these keep it well below. */
const mostFindings = 50;
const longestCommand = 8_000;
const longestWords = 1_000;

function cut(text: string): string {
  return text.length > longestWords ? `${text.slice(0, longestWords)}…` : text;
}

function toRow(found: ReportedFinding, redactor: Redactor): string {
  const { finding, known, count } = found;
  const mark = known !== undefined ? 'known' : finding.level;
  const cells = [
    mark,
    `${findingTitles[finding.check]} [${finding.check}]`,
    finding.operation,
    finding.expected,
    finding.boundary === undefined
      ? finding.received
      : `${finding.received}: ${renderBoundary(finding.boundary)}`,
    `${count}×${renderConfirmation(found)}`,
  ];
  return `| ${cells.map((cell) => escapeMarkdown(cut(redactor.text(cell)))).join(' | ')} |`;
}

function toDetails(found: ReportedFinding, options: ReportOptions, redactor: Redactor): string {
  const { finding, known } = found;
  const replay = renderReplay(found, options.command);
  const curls = renderRequests(found, options);
  const isShort = curls.every((curl) => curl.length <= longestCommand);
  const clause = escapeMarkdown(redactor.text(renderClause(finding.clause, options.source)));
  const why =
    known === undefined
      ? []
      : [`Known, and may pass: ${escapeMarkdown(known.reason ?? 'no reason is given')}`, ''];
  return [
    `<details><summary>${findingTitles[finding.check]} (${found.id})</summary>`,
    '',
    `By ${clause}`,
    '',
    ...why,
    fenceCode([
      ...(isShort
        ? curls
        : [
            `# The request is too long to be shown here${replay === undefined ? '' : '; the replay shows it'}.`,
          ]),
      ...(replay === undefined ? [] : [replay]),
    ]),
    '',
    '</details>',
    '',
  ].join('\n');
}

function listFigures(run: CollectedRun): readonly string[] {
  if (run.kind === 'traffic') {
    return [describeTraffic(run.result)];
  }
  const { properties, requests, durationMs, seed } = run.result;
  return [
    plural(properties.length, 'property', 'properties'),
    `${plural(requests, 'request')} in ${(durationMs / 1_000).toFixed(1)} s`,
    `seed ${seed}`,
  ];
}

/** The summary of a run as Markdown, for the page of a step of GitHub Actions. */
export function renderStepSummary(run: CollectedRun, options: ReportOptions, redactor: Redactor): string {
  const { started, end } = run;
  // The kinds of findings are told apart where they are told.
  const result: Conclusions & { readonly findings: readonly ReportedFinding[] } = run.result;
  const shown = result.findings.slice(0, mostFindings);
  const left = result.findings.length - shown.length;
  const paint = createPaint(false);
  const figures = listFigures(run);
  return [
    `## ${escapeMarkdown(`Cloche: ${renderVerdict(result, { paint, isWhole: end.isWhole })}`)}`,
    '',
    escapeMarkdown(
      redactor.text(
        `${started.contract.title} ${started.contract.version} (${options.source}) on ${started.target}: ${figures.join(', ')}.`,
      ),
    ),
    '',
    ...(end.why === undefined ? [] : [escapeMarkdown(redactor.text(end.why)), '']),
    ...(shown.length === 0
      ? []
      : [
          '| level | finding | operation | expected | received | seen |',
          '| --- | --- | --- | --- | --- | --- |',
          ...shown.map((found) => toRow(found, redactor)),
          '',
          ...(left === 0 ? [] : [`${plural(left, 'more finding')} in the other reports.`, '']),
          ...shown.map((found) => toDetails(found, options, redactor)),
        ]),
    ...(result.gone.length === 0
      ? []
      : [
          `No longer seen, so that the baseline need not name it: ${result.gone.map(({ id }) => escapeMarkdown(id)).join(', ')}`,
          '',
        ]),
    '',
  ].join('\n');
}
