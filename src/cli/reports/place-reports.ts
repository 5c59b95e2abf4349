import { openReportPlaces, type ReportPlace } from './open-reports.ts';
import { parseReports } from './parse-reports.ts';

/** Where a command writes: its reports, and what it says to a person. */
export interface PlacedReports {
  readonly places: readonly ReportPlace[];
  /** Standard output, or standard error where a report has that for itself. */
  readonly stream: NodeJS.WriteStream;
}

/**
 * Finds out where the reports go that `--report` asks for, before there is anything to report.
 *
 * @param texts - as it was given, `kind=FILE`
 * @throws ClocheError OPTION_INVALID for a report that there is not, REPORT_UNWRITABLE for one that cannot be written
 */
export function placeReports(texts: readonly string[]): PlacedReports {
  const places = openReportPlaces(parseReports(texts));
  // A report on standard output is to be read by a program.
  const isTaken = places.some(({ file }) => file === undefined);
  return { places, stream: isTaken ? process.stderr : process.stdout };
}
