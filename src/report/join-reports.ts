import type { Report } from './report.ts';

/** Several reports on one run as one. */
export function joinReports(reports: readonly Report[]): Report {
  return {
    read(event) {
      for (const report of reports) {
        report.read(event);
      }
    },
    end(run) {
      for (const report of reports) {
        report.end(run);
      }
    },
  };
}
