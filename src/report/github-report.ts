import { createRedactor, type Redactor } from '../http/create-redactor.ts';
import type { FoundCause } from '../runner/run-event.ts';
import { type CollectedRun, collectRun } from './collect-run.ts';
import { failsRun } from './fails-run.ts';
import { findingTitles, renderClause } from './finding-words.ts';
import { renderStepSummary } from './github/step-summary.ts';
import { type Annotation, workflowCommand } from './github/workflow-command.ts';
import { describeVerdict } from './parity/describe-verdict.ts';
import { renderBoundary } from './render-boundary.ts';
import { renderRequests } from './render-requests.ts';
import { describePlaces } from './describe-places.ts';
import { renderReplay } from './render-replay.ts';
import type { Report } from './report.ts';
import type { ReportedFinding } from './reported-finding.ts';
import type { ReportOptions } from './report-options.ts';

/** What the report for GitHub Actions needs besides. */
export interface GithubReportOptions extends ReportOptions {
  /**
   * What the repository calls a file that was read.
   *
   * @returns undefined for one that is not in the repository
   */
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

function annotate(found: ReportedFinding, options: GithubReportOptions, redactor: Redactor): Annotation {
  const { finding, known } = found;
  const replay = renderReplay(found, options.command);
  const places = describePlaces(found);
  const { check, level, expected, received, clause, boundary } = finding;
  const curls = renderRequests(found, options).filter(({ length }) => length <= longestCommand);
  const fails = failsRun(found, options);
  return {
    level: fails ? 'error' : known === undefined && level === 'advice' ? 'warning' : 'notice',
    title: `Cloche: ${findingTitles[check]}`,
    message: [
      ...(boundary === undefined ? [] : [`refused ${renderBoundary(boundary)}`]),
      redactor.text(`expected ${expected}`),
      redactor.text(`received ${received}`),
      redactor.text(`by ${renderClause(clause, options.source)}`),
      ...(finding.parity === undefined ? [] : [redactor.text(describeVerdict(finding.parity))]),
      ...(known === undefined ? [] : [`known, and may pass: ${known.reason ?? 'no reason is given'}`]),
      ...curls,
      ...(replay === undefined ? [] : [replay]),
      ...(places === undefined ? [] : [redactor.text(`seen at ${places}`)]),
      found.id,
    ].join('\n'),
    ...locate(found, options),
  };
}

function annotateEnd({ end, result }: CollectedRun, redactor: Redactor): readonly Annotation[] {
  if (result.interrupted) {
    const message = 'What was found by then is told.';
    return [{ level: 'error', title: 'Cloche: the run was interrupted', message }];
  }
  const message = redactor.text(end.why ?? 'What was found by then is told.');
  return end.isWhole ? [] : [{ level: 'error', title: 'Cloche: the service could not be judged', message }];
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
      if (run === undefined) {
        return;
      }
      const redactor = createRedactor(options.secrets);
      const annotations = [
        ...annotateEnd(run, redactor),
        ...run.result.findings.map((found) => annotate(found, options, redactor)),
      ];
      options.write(annotations.map((annotation) => `${workflowCommand(annotation)}\n`).join(''));
      options.appendSummary?.(renderStepSummary(run, options, redactor));
    },
  };
}
