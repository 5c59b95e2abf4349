import { escapeControls } from '../errors/console-text.ts';
import { createRedactor, type Redactor } from '../http/redact.ts';
import type { FoundCause } from '../runner/events.ts';
import { type CollectedRun, collectRun, describeOthers, type Fault, groupFaults } from './collect.ts';
import { failsRun, type Report, type ReportedFinding, type ReportOptions } from './report.ts';
import { renderBoundary } from './text/boundary.ts';
import {
  describePlaces,
  describeTraffic,
  describeVerdict,
  titleOf,
  renderClause,
  renderConfirmation,
  renderReplay,
  renderRequests,
} from './text/finding.ts';
import { plural } from './text/format.ts';
import { renderVerdict } from './text/summary.ts';
import { describeRunVerdict, judgeRun } from './text/verdict.ts';

/**
 * What Markdown and GitHub take for a mark within a line, HTML, formulas and emoji included (CommonMark §2.4: a
 * backslash makes each of them a character like others).
 */
const marks = /[\\`*_{}[\]<>#+!|~&$:@]/gu;

/** A text that Markdown shows as it is, on one line, so that it fits into a cell of a table too. */
export function escapeMarkdown(text: string): string {
  return escapeControls(text.replaceAll(/[\n\r\t]/gu, ' ')).replaceAll(marks, String.raw`\$&`);
}

/** Lines as a block of code; its fence is longer than any in it. */
export function fenceCode(lines: readonly string[]): string {
  const text = lines.join('\n');
  const longest = Math.max(2, ...(text.match(/`+/gu) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}console\n${text}\n${fence}`;
}

/** A step may say no more than 1 MiB; these keep it well below. */
const mostFindings = 50;
const longestCommandInSummary = 8_000;
const longestWords = 1_000;

function toRow(fault: Fault<ReportedFinding>, redactor: Redactor): string {
  const { first: found, others } = fault;
  const { finding, known, count } = found;
  const cells = [
    known === undefined ? finding.level : 'known',
    `${titleOf(finding)} [${finding.check}]`,
    finding.operation,
    finding.expected,
    finding.boundary === undefined
      ? finding.received
      : `${finding.received}: ${renderBoundary(finding.boundary)}`,
    `${count}×${renderConfirmation(found)}${others.length === 0 ? '' : `; also ${describeOthers(fault).join(', ')}`}`,
  ];
  const shown = cells.map((cell) => {
    const text = redactor.text(cell);
    return escapeMarkdown(text.length > longestWords ? `${text.slice(0, longestWords)}…` : text);
  });
  return `| ${shown.join(' | ')} |`;
}

function toDetails(found: ReportedFinding, options: ReportOptions, redactor: Redactor): string {
  const { finding, known } = found;
  const replay = renderReplay(found, options.command);
  const curls = renderRequests(found, options);
  const isShort = curls.every((curl) => curl.length <= longestCommandInSummary);
  const more = replay === undefined ? '' : '; the replay shows it';
  const reason = escapeMarkdown(known?.reason ?? 'no reason is given');
  const requests = isShort ? curls : [`# The request is too long to be shown here${more}.`];
  return [
    `<details><summary>${titleOf(finding)} (${found.id})</summary>`,
    '',
    `By ${escapeMarkdown(redactor.text(renderClause(finding.clause, options.source)))}`,
    '',
    ...(known === undefined ? [] : [`Known, and may pass: ${reason}`, '']),
    fenceCode([...requests, ...(replay === undefined ? [] : [replay])]),
    '',
    '</details>',
    '',
  ].join('\n');
}

function describeFigures(run: CollectedRun): string {
  if (run.kind === 'traffic') return describeTraffic(run.result);
  const { properties, requests, durationMs, seed } = run.result;
  const took = `${plural(requests, 'request')} in ${(durationMs / 1_000).toFixed(1)} s`;
  return `${plural(properties.length, 'property', 'properties')}, ${took}, seed ${seed}`;
}

/** The summary of a run as Markdown, for the page of a step of GitHub Actions. */
function renderStepSummary(run: CollectedRun, options: ReportOptions, redactor: Redactor): string {
  const { contract, target } = run.started;
  const { gone } = run.result;
  const findings = groupFaults<ReportedFinding>(run.result.findings);
  const { isWhole, why } = run.end;
  const shown = findings.slice(0, mostFindings);
  const left = findings.length - shown.length;
  const verdict = renderVerdict(run, { ...options, isWhole });
  const subject = `${contract.title} ${contract.version} (${options.source}) on ${target}`;
  const head = [
    '| level | finding | operation | expected | received | seen |',
    '| --- | --- | --- | --- | --- | --- |',
  ];
  const ids = gone.map(({ id }) => escapeMarkdown(id)).join(', ');
  return [
    `## ${escapeMarkdown(`Cloche: ${verdict}`)}`,
    '',
    escapeMarkdown(redactor.text(`${subject}: ${describeFigures(run)}.`)),
    '',
    ...(why === undefined ? [] : [escapeMarkdown(redactor.text(why)), '']),
    ...(shown.length === 0 ? [] : [...head, ...shown.map((found) => toRow(found, redactor)), '']),
    ...(left === 0 ? [] : [`${plural(left, 'more finding')} in the other reports.`, '']),
    ...shown.map(({ first }) => toDetails(first, options, redactor)),
    ...(gone.length === 0 ? [] : [`No longer found, so the baseline need not list it: ${ids}`, '']),
    '',
  ].join('\n');
}

/** What a workflow command of GitHub Actions says, and of which place. */
interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  /** From the top of the repository on. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Marks of a terminal and what turns a text around, as they are named: a log shows them as they are. */
function showControls(text: string): string {
  return text.split('\n').map(escapeControls).join('\n');
}

/**
 * An annotation as a line that GitHub Actions takes for a command, whatever it says: nothing in it ends the line
 * or begins another command.
 *
 * @example
 * workflowCommand({ level: 'error', title: 'Broken', message: 'a: 1, b' });
 * // ::error title=Broken::a: 1, b
 */
export function workflowCommand({ level, title, message, file, line, column }: Annotation): string {
  const properties = { file, line, col: column, title };
  const pairs = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(showControls(String(value)))}`)
    .join(',');
  return `::${level} ${pairs}::${escapeMessage(showControls(message))}`;
}

/** What the report for GitHub Actions needs besides. */
export interface GithubReportOptions extends ReportOptions {
  /** What the repository calls a file that was read; undefined for one that is not in it. */
  readonly nameInRepository: (file: string) => string | undefined;
  /** Adds Markdown to the summary of the step; undefined where there is none. */
  readonly appendSummary: ((markdown: string) => void) | undefined;
}

/** An annotation says what is wrong; long requests are in the summary. */
const longestCommand = 1_000;

/** Where the document says it, or else where it has the operation. */
function locate(
  { finding: { clause, operation } }: FoundCause,
  { contract, nameInRepository }: GithubReportOptions,
): Pick<Annotation, 'file' | 'line' | 'column'> {
  const pointer = contract.operations.find(({ id }) => id === operation)?.pointer;
  const place =
    clause.kind === 'document' ? clause : pointer === undefined ? undefined : contract.placeOf(pointer);
  const at = place === undefined ? undefined : contract.locate(place);
  const file = at === undefined ? undefined : nameInRepository(at.file);
  return at === undefined || file === undefined ? {} : { file, line: at.line, column: at.column };
}

function annotate(
  fault: Fault<ReportedFinding>,
  options: GithubReportOptions,
  redactor: Redactor,
): Annotation {
  const { first: found, others } = fault;
  const { finding, known } = found;
  const replay = renderReplay(found, options.command);
  const places = describePlaces(found);
  const { level, expected, received, clause, boundary, parity } = finding;
  const curls = renderRequests(found, options).filter(({ length }) => length <= longestCommand);
  return {
    level: failsRun(found, options)
      ? 'error'
      : known === undefined && level === 'warning'
        ? 'warning'
        : 'notice',
    title: `Cloche: ${titleOf(finding)}`,
    message: [
      ...(boundary === undefined ? [] : [`refused ${renderBoundary(boundary)}`]),
      redactor.text(`expected ${expected}`),
      redactor.text(`received ${received}`),
      redactor.text(`by ${renderClause(clause, options.source)}`),
      ...(parity === undefined ? [] : [redactor.text(describeVerdict(parity))]),
      ...(known === undefined ? [] : [`known, and may pass: ${known.reason ?? 'no reason is given'}`]),
      ...curls,
      ...(replay === undefined ? [] : [replay]),
      ...(places === undefined ? [] : [redactor.text(`seen at ${places}`)]),
      ...(others.length === 0 ? [] : [redactor.text(`also ${describeOthers(fault).join(', ')}`)]),
      found.id,
    ].join('\n'),
    ...locate(found, options),
  };
}

function annotateEnd(run: CollectedRun, options: ReportOptions, redactor: Redactor): readonly Annotation[] {
  const { end, result, kind } = run;
  if (result.interrupted) {
    const message = 'It lists what was found until then.';
    return [{ level: 'error', title: 'Cloche: the run was interrupted', message }];
  }
  const message = redactor.text(end.why ?? 'It lists what was found until then.');
  if (!end.isWhole) return [{ level: 'error', title: 'Cloche: the service could not be judged', message }];
  const isThinNews = kind === 'suites' && options.replayed === undefined;
  const { lead, tone, besides } = describeRunVerdict(result, { ...options, isWhole: true, isThinNews });
  const few = tone === 'warning' ? [lead] : besides;
  return few.map((words) => ({
    level: judgeRun(result, true, options).lacksCoverage ? 'error' : 'warning',
    title: 'Cloche: few operations were exercised',
    message: words,
  }));
}

/**
 * Creates the report for GitHub Actions: each finding as a workflow command, which annotates the line of the
 * document that it goes by, and a summary of the step in Markdown.
 */
export function createGithubReport(options: GithubReportOptions): Report {
  const collector = collectRun(options);
  return {
    read: collector.read,
    end(end) {
      const run = collector.close(end);
      if (run === undefined) return;
      const redactor = createRedactor(options.secrets);
      const annotations = [
        ...annotateEnd(run, options, redactor),
        ...groupFaults<ReportedFinding>(run.result.findings).map((fault) =>
          annotate(fault, options, redactor),
        ),
      ];
      options.write(annotations.map((annotation) => `${workflowCommand(annotation)}\n`).join(''));
      options.appendSummary?.(renderStepSummary(run, options, redactor));
    },
  };
}
