import { escapeControls } from '../errors/console-text.ts';
import { createRedactor } from '../http/redact.ts';
import { type CollectedRun, createEndReport } from './collect.ts';
import { type FaultView, type FindingView, viewFaults } from './view/finding-view.ts';
import type { Report, ReportOptions } from './report.ts';
import { plural } from './format.ts';
import { renderVerdict } from './text/summary.ts';
import { describeRunVerdict, describeTraffic, judgeRun } from './text/verdict.ts';

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

function toRow({ first: view, also }: FaultView): string {
  const { boundary, known, received } = view;
  const cells = [
    known === undefined ? view.level : 'known',
    `${view.title} [${view.found.finding.check}]`,
    view.operation,
    view.expected,
    boundary === undefined ? received : `${received}: ${boundary}`,
    `${view.count}×${view.confirmation}${also.length === 0 ? '' : `; also ${also.join(', ')}`}`,
  ];
  const shown = cells.map((text) =>
    escapeMarkdown(text.length > longestWords ? `${text.slice(0, longestWords)}…` : text),
  );
  return `| ${shown.join(' | ')} |`;
}

function toDetails({ id, title, rule, known, replay, requests }: FindingView): string {
  const isShort = requests.every((curl) => curl.length <= longestCommandInSummary);
  const more = replay === undefined ? '' : '; the replay shows it';
  const curls = isShort ? requests : [`# The request is too long to be shown here${more}.`];
  return [
    `<details><summary>${title} (${id})</summary>`,
    '',
    `By ${escapeMarkdown(rule)}`,
    '',
    ...(known === undefined ? [] : [`Known, and may pass: ${escapeMarkdown(known.reason)}`, '']),
    fenceCode([...curls, ...(replay === undefined ? [] : [replay])]),
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
function renderStepSummary(run: CollectedRun, faults: readonly FaultView[], options: ReportOptions): string {
  const { text: redact } = createRedactor(options.secrets);
  const { contract, target } = run.started;
  const { gone } = run.result;
  const { isWhole, why } = run.end;
  const shown = faults.slice(0, mostFindings);
  const left = faults.length - shown.length;
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
    escapeMarkdown(redact(`${subject}: ${describeFigures(run)}.`)),
    '',
    ...(why === undefined ? [] : [escapeMarkdown(redact(why)), '']),
    ...(shown.length === 0 ? [] : [...head, ...shown.map(toRow), '']),
    ...(left === 0 ? [] : [`${plural(left, 'more finding')} in the other reports.`, '']),
    ...shown.map(({ first }) => toDetails(first)),
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

/** Finds the clause in the document, or else the operation. */
function locate(
  { clause, found }: FindingView,
  { contract, nameInRepository }: GithubReportOptions,
): Pick<Annotation, 'file' | 'line' | 'column'> {
  const operation = contract.operations.find(({ id }) => id === found.finding.operation);
  const place = clause.kind === 'document' ? clause : operation && contract.placeOf(operation.pointer);
  const at = place && contract.locate(place);
  const file = at && nameInRepository(at.file);
  return at === undefined || file === undefined ? {} : { file, line: at.line, column: at.column };
}

function annotate({ first: view, also }: FaultView, options: GithubReportOptions): Annotation {
  const { level, known, boundary, verdict, replay, places } = view;
  const mild = known === undefined && level === 'warning' ? 'warning' : 'notice';
  return {
    level: view.fails ? 'error' : mild,
    title: `Cloche: ${view.title}`,
    message: [
      ...(boundary === undefined ? [] : [`refused ${boundary}`]),
      `expected ${view.expected}`,
      `received ${view.received}`,
      `by ${view.rule}`,
      ...(verdict === undefined ? [] : [verdict]),
      ...(known === undefined ? [] : [`known, and may pass: ${known.reason}`]),
      ...view.requests.filter(({ length }) => length <= longestCommand),
      ...(replay === undefined ? [] : [replay]),
      ...(places === undefined ? [] : [`seen at ${places}`]),
      ...(also.length === 0 ? [] : [`also ${also.join(', ')}`]),
      view.id,
    ].join('\n'),
    ...locate(view, options),
  };
}

function annotateEnd({ end, result, kind }: CollectedRun, options: ReportOptions): readonly Annotation[] {
  const soFar = 'It lists what was found until then.';
  if (result.interrupted) {
    return [{ level: 'error', title: 'Cloche: the run was interrupted', message: soFar }];
  }
  const message = createRedactor(options.secrets).text(end.why ?? soFar);
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
  return createEndReport(options, (run) => {
    const faults = viewFaults(run.result.findings, options);
    const annotations = [...annotateEnd(run, options), ...faults.map((fault) => annotate(fault, options))];
    options.write(annotations.map((annotation) => `${workflowCommand(annotation)}\n`).join(''));
    options.appendSummary?.(renderStepSummary(run, faults, options));
  });
}
