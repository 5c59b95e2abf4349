import { escapeControls } from '../errors/console-text.ts';
import { createRedactor } from '../http/redact.ts';
import { type CollectedRun, createEndReport } from './collect.ts';
import { type FaultView, viewFaults } from './view/finding-view.ts';
import { findPlace, type RepositoryOptions } from './view/place.ts';
import type { Report, ReportOptions } from './report.ts';
import { renderComment } from './markdown.ts';
import { listCommands, listFacts } from './text/finding.ts';
import { describeRunVerdict, judgeRun } from './text/verdict.ts';

/** The text and the location of a GitHub Actions workflow command. */
interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  /** Relative to the root of the repository. */
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

/** Names control characters and direction marks: a log would print them raw. */
function showControls(text: string): string {
  return text.split('\n').map(escapeControls).join('\n');
}

/**
 * Renders an annotation as a workflow command of GitHub Actions. It is always one line: no text in it can end the line
 * or begin another command.
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

/** Options of the report for GitHub Actions. */
export interface GithubReportOptions extends RepositoryOptions {
  /** Adds Markdown to the summary of the step; undefined if there is no summary. */
  readonly appendSummary: ((markdown: string) => void) | undefined;
}

function annotate({ first: view, also }: FaultView, options: GithubReportOptions): Annotation {
  const place = findPlace(view, options);
  return {
    level: view.severity === 'note' ? 'notice' : view.severity,
    title: `Cloche: ${view.title}`,
    message: [
      ...listFacts(view),
      ...listCommands(view),
      ...(also.length === 0 ? [] : [`also ${also.join(', ')}`]),
      view.id,
    ].join('\n'),
    ...(place?.path !== undefined && { file: place.path, line: place.line, column: place.column }),
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
  const { lead, tone, lacks } = describeRunVerdict(result, { ...options, isWhole: true, isThinNews });
  const few = tone === 'warning' ? [lead] : lacks;
  return few.map((words) => ({
    level: judgeRun(result, true, options).lacksCoverage ? 'error' : 'warning',
    title: 'Cloche: few operations were exercised',
    message: words,
  }));
}

/**
 * Creates the report for GitHub Actions. Each finding is a workflow command, which annotates the line of the document
 * with the broken clause. The summary of the step is the Markdown report.
 */
export function createGithubReport(options: GithubReportOptions): Report {
  return createEndReport(options, (run) => {
    const faults = viewFaults(run.result.findings, options);
    const annotations = [...annotateEnd(run, options), ...faults.map((fault) => annotate(fault, options))];
    options.write(annotations.map((annotation) => `${workflowCommand(annotation)}\n`).join(''));
    options.appendSummary?.(renderComment(run, options));
  });
}
