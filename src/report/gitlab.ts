import { escapeControls } from '../errors/console-text.ts';
import { type CollectedRun, createEndReport } from './collect.ts';
import { viewFaults } from './view/finding-view.ts';
import { findPlace, type RepositoryOptions } from './view/place.ts';
import type { Report } from './report.ts';
import { listRunProblems } from './test-cases.ts';

/** An issue of a code quality report, by the documentation of GitLab CI. */
interface Issue {
  /** One line of text. */
  readonly description: string;
  readonly check_name: string;
  /** Equal for the same issue in the reports of two branches, and unique in a report. */
  readonly fingerprint: string;
  readonly severity: 'info' | 'minor' | 'major' | 'blocker';
  /** `path` is relative to the repository. */
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const severities = { error: 'major', warning: 'minor', note: 'info' } as const;

/** The maximum length of a description: a merge request shows it whole. */
const longestDescription = 500;

/**
 * Creates the report for merge requests of GitLab: code quality, JSON. Each finding is an issue at the line of the
 * document that it refers to. An incomplete run, or one that exercised too few operations, is an issue too: a list without
 * issues would say that all is well.
 */
export function createGitlabReport(options: RepositoryOptions): Report {
  return createEndReport(options, (run) =>
    options.write(`${JSON.stringify(listIssues(run, options), undefined, 2)}\n`),
  );
}

function listIssues(run: CollectedRun, options: RepositoryOptions): readonly Issue[] {
  const start = options.nameInRepository(options.contract.source) ?? options.source;
  return [
    ...listRunProblems(run, options).map(({ type, message }): Issue => ({
      description: toDescription(message),
      check_name: type,
      fingerprint: type,
      severity: 'blocker',
      location: { path: start, lines: { begin: 1 } },
    })),
    ...viewFaults(run.result.findings, options)
      .flatMap(({ first, others }) => [first, ...others])
      .map((view): Issue => {
        const place = findPlace(view, options);
        return {
          description: toDescription(
            `${view.operation}: ${view.title}: expected ${view.expected}, received ${view.received}`,
          ),
          check_name: view.found.finding.check,
          fingerprint: view.id,
          severity: severities[view.severity],
          location: {
            path: place?.path ?? place?.file ?? start,
            lines: { begin: place?.line ?? 1 },
          },
        };
      }),
  ];
}

function toDescription(text: string): string {
  const line = escapeControls(text.replaceAll(/\s+/gu, ' '));
  return line.length > longestDescription ? `${line.slice(0, longestDescription)}…` : line;
}
