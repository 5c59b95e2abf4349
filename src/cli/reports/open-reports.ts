import { appendFileSync } from 'node:fs';
import type { ClocheError } from '../../errors/cloche-error.ts';
import type { Report } from '../../report/report.ts';
import type { ReportOptions } from '../../report/report-options.ts';
import { createFileSink } from './create-file-sink.ts';
import { createStdoutSink } from './create-stdout-sink.ts';
import { nameInRepository } from './name-in-repository.ts';
import type { ReportRequest } from './report-request.ts';
import type { ReportSink } from './report-sink.ts';
import { unwritableFile } from './unwritable-file.ts';

/** A report that was asked for, and where it goes. */
export interface ReportPlace extends ReportRequest {
  readonly sink: ReportSink;
}

/** The reports of a run that go to files or to standard output. */
export interface OpenReports {
  readonly reports: readonly Report[];
  /**
   * Puts every report in its place, once all have ended.
   *
   * @returns what went wrong
   */
  readonly close: () => readonly ClocheError[];
}

/**
 * Finds out where the reports go, before there is anything to report.
 *
 * @throws ClocheError REPORT_UNWRITABLE where one of them cannot be written
 */
export function openReportPlaces(requests: readonly ReportRequest[]): readonly ReportPlace[] {
  return requests.map((request) => ({
    ...request,
    sink: request.file === undefined ? createStdoutSink(request.kind) : createFileSink(request.file),
  }));
}

/** Each report is loaded only where it is asked for. */
async function createReport(
  kind: ReportRequest['kind'],
  options: ReportOptions,
  onUnwritable: (error: ClocheError) => void,
): Promise<Report> {
  switch (kind) {
    case 'junit':
      return (await import('../../report/junit-report.ts')).createJunitReport(options);
    case 'json':
      return (await import('../../report/json-report.ts')).createJsonReport(options);
    case 'html':
      return (await import('../../report/html-report.ts')).createHtmlReport(options);
    case 'har':
      return (await import('../../report/har-report.ts')).createHarReport(options);
    case 'github': {
      const { GITHUB_WORKSPACE: workspace = '', GITHUB_STEP_SUMMARY: summary = '' } = process.env;
      const { createGithubReport } = await import('../../report/github-report.ts');
      return createGithubReport({
        ...options,
        nameInRepository: (file) => nameInRepository(file, workspace || process.cwd()),
        appendSummary:
          summary === ''
            ? undefined
            : (markdown) => {
                try {
                  appendFileSync(summary, markdown);
                } catch (cause) {
                  onUnwritable(unwritableFile({ what: 'the report', file: summary, cause }));
                }
              },
      });
    }
  }
}

/** Creates the reports that were asked for. */
export async function openReports(
  places: readonly ReportPlace[],
  options: Omit<ReportOptions, 'write'>,
): Promise<OpenReports> {
  const failures: ClocheError[] = [];
  const reports = await Promise.all(
    places.map(({ kind, sink }) =>
      createReport(kind, { ...options, write: sink.write }, (error) => failures.push(error)),
    ),
  );
  return {
    reports,
    close: () => [...failures, ...places.flatMap(({ sink }) => sink.close() ?? [])],
  };
}
