import { appendFileSync } from 'node:fs';
import type { Contract } from '../contract/contract.ts';
import { readVersion } from '../document/package-manifest.ts';
import { nameInRepository } from '../document/source.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { createTextStyle, escapeInStrings, escapeLine } from '../errors/console-text.ts';
import { suggestWord } from '../errors/suggest.ts';
import { createRunCredentialHider } from '../events/hide-credentials.ts';
import type { CurlConnection } from '../http/curl.ts';
import { errorCode } from '../http/failures.ts';
import { type ConsoleReportOptions, createConsoleReport } from '../report/console.ts';
import type { Report, ReportOptions, RunEnd } from '../report/report.ts';
import { judgeRun, type VerdictRules } from '../report/text/verdict.ts';
import type { RepositoryOptions } from '../report/view/place.ts';
import { createDebugReport } from './debug-report.ts';
import { createFileSink, type ReportSink, unwritableFile } from './file-sink.ts';
import type { SecretList } from '../session/secrets.ts';
import { hasColour, printLines, printText, showProgress, showSource, terminalWidth } from './terminal.ts';
import { crashed, invalidOption } from './process.ts';

/** The kinds of reports. */
export const reportKinds = [
  'junit',
  'json',
  'html',
  'github',
  'gitlab',
  'sarif',
  'markdown',
  'ctrf',
  'har',
  'agent',
] as const;

type ReportKind = (typeof reportKinds)[number];

/** Functions that create a report of each kind. They load its code, so that a run loads only what is requested. */
const makers: Readonly<
  Record<
    ReportKind,
    (options: RepositoryOptions, onUnwritable: (error: ClocheError) => void) => Promise<Report>
  >
> = {
  junit: async (options) => (await import('../report/junit.ts')).createJunitReport(options),
  json: async (options) => (await import('../report/json.ts')).createJsonReport(options),
  html: async (options) => (await import('../report/html/report.ts')).createHtmlReport(options),
  github: createStepReport,
  gitlab: async (options) => (await import('../report/gitlab.ts')).createGitlabReport(options),
  sarif: async (options) => (await import('../report/sarif.ts')).createSarifReport(options),
  markdown: async (options) => (await import('../report/markdown.ts')).createMarkdownReport(options),
  ctrf: async (options) => (await import('../report/ctrf.ts')).createCtrfReport(options),
  har: async (options) => (await import('../report/har.ts')).createHarReport(options),
  agent: async (options) => (await import('../report/agent.ts')).createAgentReport(options),
};

interface ReportRequest {
  readonly kind: ReportKind;
  /** Undefined for standard output. */
  readonly file: string | undefined;
}

const jsonKinds = new Set<ReportKind>(['json', 'har', 'sarif', 'gitlab', 'ctrf']);

/** Escapes the characters that the format of a report has no escapes for. */
function toPrinted(text: string, kind: ReportKind): string {
  // The lines of the GitHub report are commands, and the report escapes their content.
  if (kind === 'github') return text;
  return jsonKinds.has(kind) ? escapeInStrings(text) : text.split('\n').map(escapeLine).join('\n');
}

function createStdoutSink(kind: ReportKind): ReportSink {
  let failure: ClocheError | undefined;
  process.stdout.on('error', (cause) => {
    // The run continues for its verdict. Other errors are reported by the handler of the whole output.
    if (errorCode(cause) === 'EPIPE') {
      failure ??= unwritableFile('the report', 'standard output', cause);
    }
  });
  return {
    write(text) {
      if (failure === undefined) process.stdout.write(toPrinted(text, kind));
    },
    close: () => failure,
  };
}

/** Returns the folder of the repository: of a CI job, or the current folder. */
export function repositoryRoot(): string {
  const { GITHUB_WORKSPACE: ofGithub = '', CI_PROJECT_DIR: ofGitlab = '' } = process.env;
  return ofGithub || ofGitlab || process.cwd();
}

/** Creates the report for a step of GitHub Actions. */
async function createStepReport(
  options: RepositoryOptions,
  onUnwritable: (error: ClocheError) => void,
): Promise<Report> {
  const { GITHUB_STEP_SUMMARY: summary = '' } = process.env;
  const { createGithubReport } = await import('../report/github.ts');

  function appendSummary(markdown: string): void {
    try {
      appendFileSync(summary, markdown);
    } catch (cause) {
      onUnwritable(unwritableFile('the report', summary, cause));
    }
  }

  return createGithubReport({ ...options, appendSummary: summary === '' ? undefined : appendSummary });
}

function parseReport(text: string): ReportRequest {
  const at = text.indexOf('=');
  const word = at === -1 ? text : text.slice(0, at);
  const kind = reportKinds.find((one) => one === word);
  if (kind === undefined) {
    throw invalidOption(
      `--report ${text}`,
      word === '' ? 'it names no kind of report' : `there is no report of the kind ${word}`,
      suggestWord(word, reportKinds, `Choose among ${reportKinds.join(', ')}`),
    );
  }
  const file = at === -1 ? '-' : text.slice(at + 1);
  if (file === '') {
    throw invalidOption(
      `--report ${text}`,
      'it names no file',
      `Write ${kind}=FILE, or ${kind}=- for standard output`,
    );
  }
  return { kind, file: file === '-' ? undefined : file };
}

/** Parses all `--report`. @throws ClocheError OPTION_INVALID for an unknown kind, or two for standard output */
export function parseReports(texts: readonly string[]): readonly ReportRequest[] {
  const requests = texts.map(parseReport);
  const [, again] = [...requests.keys()].filter((index) => requests[index]?.file === undefined);
  if (again !== undefined) {
    throw invalidOption(
      `--report ${texts[again] ?? ''}`,
      'another report goes to standard output already',
      'Give each a file of its own',
    );
  }
  return requests;
}

interface PlacedReports {
  readonly places: readonly (ReportRequest & { readonly sink: ReportSink })[];
  /** Standard output, or standard error if a report uses standard output. */
  readonly stream: NodeJS.WriteStream;
}

/**
 * Finds the destinations of the requested reports. Call it after the command has read its files, before it sends.
 *
 * @throws ClocheError OPTION_INVALID for an unknown report, REPORT_UNWRITABLE for one that cannot be
 * written
 */
export function placeReports(texts: readonly string[]): PlacedReports {
  const places = parseReports(texts).map(({ kind, file }) => ({
    kind,
    file,
    sink: file === undefined ? createStdoutSink(kind) : createFileSink(file),
  }));
  // A report on standard output is meant for a program.
  const isTaken = places.some(({ file }) => file === undefined);
  return { places, stream: isTaken ? process.stderr : process.stdout };
}

interface ReportedRun
  extends
    CurlConnection,
    Pick<
      ReportOptions,
      | 'baseUrl'
      | 'command'
      | 'shell'
      | 'headers'
      | 'elsewhere'
      | 'replayed'
      | 'strict'
      | 'minCoverage'
      | 'shard'
    > {
  readonly contract: Contract;
  /** The values that no report may show, the token first. */
  readonly secrets: SecretList;
  /** Whether to print the full coverage of the contract instead of one line. */
  readonly coverage: boolean;
  /** The amount of output. @defaultValue everything */
  readonly detail?: ConsoleReportOptions['detail'];
  /** Whether to print each exchange. @defaultValue false */
  readonly exchanges?: boolean;
  /** The time of day, in milliseconds since 1970. @defaultValue that of the machine */
  readonly now?: ReportOptions['now'];
  /** Whether to show a progress line if the output is a terminal. @defaultValue true */
  readonly progress?: boolean;
}

interface StartedReports {
  readonly read: Report['read'];
  /** Runs the work, and ends the reports even if it fails; prints which of them cannot be written. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

/** Starts the console output and the reports that go to files. */
export async function startReports(
  { places, stream }: PlacedReports,
  {
    contract,
    secrets,
    strict,
    coverage,
    detail = 'whole',
    exchanges,
    progress = true,
    now = Date.now,
    ...run
  }: ReportedRun,
): Promise<StartedReports> {
  const reportContext = {
    ...run,
    source: showSource(contract.source),
    secrets: secrets.values,
    secretMeanings: secrets.meanings,
  };
  const isWatched = progress && process.stderr.isTTY && process.env['CI'] === undefined;
  const unwritten: ClocheError[] = [];
  const root = repositoryRoot();
  const options = {
    ...reportContext,
    toolVersion: readVersion(),
    contract,
    strict,
    now,
    nameInRepository: (file: string) => nameInRepository(file, root),
  };
  const reports = await Promise.all(
    places.map(({ kind, sink: { write } }) =>
      makers[kind]({ ...options, write }, (error) => unwritten.push(error)),
    ),
  );
  const all = [
    createConsoleReport({
      ...reportContext,
      paint: createTextStyle(hasColour(stream)),
      width: terminalWidth(stream),
      strict,
      coverage,
      detail,
      exchanges,
      writeLine: (line) => printLines(stream, [line]),
      showProgress: isWatched ? (line) => showProgress(process.stderr, line) : undefined,
    }),
    ...reports,
    createDebugReport(reportContext.secrets) ?? [],
  ].flat();
  const hide = createRunCredentialHider(contract);
  return {
    read(event) {
      const shown = hide.event(event);
      all.forEach((report) => report.read(shown));
    },
    async during(work) {
      let end: RunEnd = { isWhole: false };
      try {
        const result = await work();
        end = { isWhole: true };
        return result;
      } catch (error) {
        end =
          error instanceof ClocheError
            ? { isWhole: false, why: error.message, exitCode: error.exitCode }
            : { isWhole: false, why: crashed, exitCode: 4 };
        throw error;
      } finally {
        try {
          all.forEach((report) => report.end(end));
        } finally {
          unwritten.push(...places.flatMap(({ sink }) => sink.close() ?? []));
          // A run without a requested report is no success, whatever it found.
          for (const { message, exitCode } of unwritten) {
            printText(process.stderr, message);
            process.exitCode ||= exitCode;
          }
        }
      }
    },
  };
}

/** Returns 0 if clean; 1 for new violations, warnings of a strict run, or low coverage; 130 if interrupted. */
export function exitCodeOf(result: Parameters<typeof judgeRun>[0], rules: VerdictRules): 0 | 1 | 130 {
  if (result.interrupted) return 130;
  return judgeRun(result, true, rules).passes ? 0 : 1;
}
