import { appendFileSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Contract } from '../contract/contract.ts';
import { readVersion } from '../document/package-manifest.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { createTextStyle, escapeInStrings, escapeLine } from '../errors/console-text.ts';
import { closestWord } from '../errors/suggest.ts';
import { createRunCredentialHider } from '../events/hide-credentials.ts';
import { errorCode } from '../http/failures.ts';
import { type ConsoleReportOptions, createConsoleReport } from '../report/console.ts';
import type { Report, ReportOptions, RunEnd } from '../report/report.ts';
import { judgeRun, type VerdictRules } from '../report/text/verdict.ts';
import { createFileSink, type ReportSink, unwritableFile } from './file-sink.ts';
import type { Secret } from './service.ts';
import { hasColour, printLines, printText, showProgress, showSource, terminalWidth } from './terminal.ts';
import { invalidOption } from './process.ts';

const reportKinds = ['junit', 'json', 'html', 'github', 'har'] as const;

interface ReportRequest {
  readonly kind: (typeof reportKinds)[number];
  /** Undefined is standard output. */
  readonly file: string | undefined;
}

/** What a notation has no escapes of its own for is written as it is named. */
function toPrinted(text: string, kind: ReportRequest['kind']): string {
  // The lines of the report for GitHub are commands, and it escapes what is in them.
  if (kind === 'github') return text;
  const isJson = kind === 'json' || kind === 'har';
  return isJson ? escapeInStrings(text) : text.split('\n').map(escapeLine).join('\n');
}

function createStdoutSink(kind: ReportRequest['kind']): ReportSink {
  let failure: ClocheError | undefined;
  process.stdout.on('error', (cause) => {
    // The run goes on for its verdict; of what else goes wrong the whole output has to tell.
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

/** The name of a file in a repository, unless it is a URL, out of the folder, or of an installed package. */
export function nameInRepository(file: string, root: string): string | undefined {
  if (/^https?:/iu.test(file)) return undefined;
  const name = relative(resolve(root), resolve(file));
  const isOutside = name === '' || isAbsolute(name) || name.split(sep)[0] === '..';
  return isOutside || name.split(sep).includes('node_modules') ? undefined : name.replaceAll(sep, '/');
}

interface ReportPlace extends ReportRequest {
  readonly sink: ReportSink;
}

/** Each report is loaded only where it is asked for. */
async function createReport(
  kind: ReportRequest['kind'],
  options: ReportOptions,
  onUnwritable: (error: ClocheError) => void,
): Promise<Report> {
  if (kind === 'junit') return (await import('../report/junit.ts')).createJunitReport(options);
  if (kind === 'json') return (await import('../report/json.ts')).createJsonReport(options);
  if (kind === 'html') return (await import('../report/html/report.ts')).createHtmlReport(options);
  if (kind === 'har') return (await import('../report/har.ts')).createHarReport(options);
  const { GITHUB_WORKSPACE: workspace = '', GITHUB_STEP_SUMMARY: summary = '' } = process.env;
  const { createGithubReport } = await import('../report/github.ts');

  function appendSummary(markdown: string): void {
    try {
      appendFileSync(summary, markdown);
    } catch (cause) {
      onUnwritable(unwritableFile('the report', summary, cause));
    }
  }

  return createGithubReport({
    ...options,
    nameInRepository: (file) => nameInRepository(file, workspace || process.cwd()),
    appendSummary: summary === '' ? undefined : appendSummary,
  });
}

function parseReport(text: string): ReportRequest {
  const at = text.indexOf('=');
  const word = at === -1 ? text : text.slice(0, at);
  const kind = reportKinds.find((one) => one === word);
  if (kind === undefined) {
    const near = closestWord(word, reportKinds);
    throw invalidOption(
      `--report ${text}`,
      word === '' ? 'it names no kind of report' : `there is no report of the kind ${word}`,
      near === undefined ? `Choose among ${reportKinds.join(', ')}` : `Perhaps ${near} was meant`,
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

/** Reads all `--report`. @throws ClocheError OPTION_INVALID for no such kind, or two for standard output */
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
  readonly places: readonly ReportPlace[];
  /** Standard output, or standard error where a report has that for itself. */
  readonly stream: NodeJS.WriteStream;
}

/**
 * Finds out where the reports go that `--report` asks for, after the command has read its files and before it sends anything.
 *
 * @throws ClocheError OPTION_INVALID for a report that there is not, REPORT_UNWRITABLE for one that cannot be
 * written
 */
export function placeReports(texts: readonly string[]): PlacedReports {
  const places = parseReports(texts).map(({ kind, file }) => ({
    kind,
    file,
    sink: file === undefined ? createStdoutSink(kind) : createFileSink(file),
  }));
  // A report on standard output is to be read by a program.
  const isTaken = places.some(({ file }) => file === undefined);
  return { places, stream: isTaken ? process.stderr : process.stdout };
}

interface ReportedRun extends Pick<
  ReportOptions,
  'baseUrl' | 'command' | 'insecure' | 'ca' | 'headers' | 'elsewhere' | 'replayed' | 'strict' | 'minCoverage'
> {
  readonly contract: Contract;
  /** What no report may show, the token first. */
  readonly secrets: readonly Secret[];
  /** Whether all that was exercised of the contract is printed, and not only a line of it. */
  readonly coverage: boolean;
  /** How much is printed. @defaultValue everything */
  readonly detail?: ConsoleReportOptions['detail'];
  /** Whether a line says how far it is, where somebody watches. @defaultValue true */
  readonly progress?: boolean;
}

interface StartedReports {
  readonly read: Report['read'];
  /** Does what is reported, and ends the reports however that ends; says which of them cannot be written. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

/** Starts what is printed and the reports that go to files. */
export async function startReports(
  { places, stream }: PlacedReports,
  { contract, secrets, strict, coverage, detail = 'whole', progress = true, ...run }: ReportedRun,
): Promise<StartedReports> {
  const surroundings = {
    ...run,
    source: showSource(contract.source),
    secrets: secrets.map(({ value }) => value),
    secretMeanings: secrets.map(({ meaning }) => meaning),
  };
  const isWatched = progress && process.stderr.isTTY && process.env['CI'] === undefined;
  const unwritten: ClocheError[] = [];
  const options = { ...surroundings, toolVersion: readVersion(), contract, strict, now: Date.now };
  const reports = await Promise.all(
    places.map(({ kind, sink: { write } }) =>
      createReport(kind, { ...options, write }, (error) => unwritten.push(error)),
    ),
  );
  const all = [
    createConsoleReport({
      ...surroundings,
      paint: createTextStyle(hasColour(stream)),
      width: terminalWidth(stream),
      strict,
      coverage,
      detail,
      writeLine: (line) => printLines(stream, [line]),
      showProgress: isWatched ? (line) => showProgress(process.stderr, line) : undefined,
    }),
    ...reports,
  ];
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
        end = { isWhole: false, why: error instanceof ClocheError ? error.message : 'Cloche itself failed.' };
        throw error;
      } finally {
        try {
          all.forEach((report) => report.end(end));
        } finally {
          unwritten.push(...places.flatMap(({ sink }) => sink.close() ?? []));
          // A run without the report that was asked for is no success, whatever it found.
          for (const { message, exitCode } of unwritten) {
            printText(process.stderr, message);
            process.exitCode ||= exitCode;
          }
        }
      }
    },
  };
}

/** 0 clean; 1 violations that are not known, warnings of a strict run, or too little exercised; 130 interrupted. */
export function exitCodeOf(result: Parameters<typeof judgeRun>[0], rules: VerdictRules): 0 | 1 | 130 {
  if (result.interrupted) return 130;
  return judgeRun(result, true, rules).passes ? 0 : 1;
}
