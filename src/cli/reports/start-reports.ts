import type { Contract } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { createConsoleReport } from '../../report/console-report.ts';
import { joinReports } from '../../report/join-reports.ts';
import { createPaint } from '../../errors/console-text.ts';
import type { Report, RunEnd } from '../../report/report.ts';
import type { ReportOptions } from '../../report/report-options.ts';
import type { Secret } from '../list-secrets.ts';
import { readVersion } from '../../mock/server/read-version.ts';
import { showSource } from '../show-source.ts';
import { hasColour, printLines, printText, showProgress, terminalWidth } from '../terminal.ts';
import { openReports } from './open-reports.ts';
import type { PlacedReports } from './place-reports.ts';

/** What the reports of a command need besides where they go. */
export interface ReportedRun extends Pick<
  ReportOptions,
  'baseUrl' | 'command' | 'insecure' | 'ca' | 'headers' | 'elsewhere' | 'replayed' | 'strict'
> {
  readonly contract: Contract;
  /** What no report may show, the token first. */
  readonly secrets: readonly Secret[];
  /** Whether all that was exercised of the contract is printed, and not only a line of it. */
  readonly coverage: boolean;
  /**
   * Whether a line says how far it is, where somebody watches.
   *
   * @defaultValue true
   */
  readonly progress?: boolean;
}

/** The reports of a command under way: what is printed, and what goes to files. */
export interface StartedReports {
  readonly read: Report['read'];
  /** Does what is reported, and ends the reports however that ends; a report that cannot be written is told. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

function createProgress(): ((line: string) => void) | undefined {
  const { stderr } = process;
  if (!stderr.isTTY || process.env['CI'] !== undefined) {
    return undefined;
  }
  return (line) => showProgress(stderr, line);
}

/** A run without the report that was asked for is no success, whatever it found. */
function tellUnwritten(errors: readonly ClocheError[]): void {
  for (const { message, exitCode } of errors) {
    printText(process.stderr, message);
    process.exitCode ||= exitCode;
  }
}

/** Starts what is printed and the reports that go to files. */
export async function startReports(
  { places, stream }: PlacedReports,
  { contract, secrets, strict, coverage, progress = true, ...run }: ReportedRun,
): Promise<StartedReports> {
  const surroundings = {
    ...run,
    source: showSource(contract.source),
    secrets: secrets.map(({ value }) => value),
    secretMeanings: secrets.map(({ meaning }) => meaning),
  };
  // Whoever reads what is printed may stop (`| head`); the verdict and the reports are made all the same.
  stream.on('error', () => undefined);
  const { reports, close } = await openReports(places, {
    ...surroundings,
    toolVersion: readVersion(),
    contract,
    strict,
    now: Date.now,
  });
  const report = joinReports([
    createConsoleReport({
      ...surroundings,
      paint: createPaint(hasColour(stream)),
      width: terminalWidth(stream),
      coverage,
      writeLine: (line) => printLines(stream, [line]),
      showProgress: progress ? createProgress() : undefined,
    }),
    ...reports,
  ]);
  return {
    read: report.read,
    async during(work) {
      let end: RunEnd = { isWhole: false };
      try {
        const result = await work();
        end = { isWhole: true };
        return result;
      } catch (error) {
        end = { isWhole: false, why: error instanceof ClocheError ? error.message : 'Cloche itself failed.' };
        throw error;
      } finally {
        try {
          report.end(end);
        } finally {
          tellUnwritten(close());
        }
      }
    },
  };
}
