import type { CheckedExchange } from '../check/classify/subject.ts';
import { describeAnswer } from '../http/failures.ts';
import { redactText } from '../http/redact.ts';
import type { PropertyResult, RunEvent, Verdict } from '../events/events.ts';
import { renderCurl } from './view/curl-lines.ts';
import type { FindingContext, Report, ReportEvent, RunEnd } from './report.ts';
import { type Look, plural, wrapText } from './format.ts';
import { listSome } from './text/operations.ts';
import { emptyResult } from './collect.ts';
import { type Ended, renderSummary, renderVerdict, type SummaryOptions } from './text/summary.ts';

/** Options of the console report. */
export interface ConsoleReportOptions
  extends
    Omit<FindingContext, 'secretMeanings'>,
    Look,
    Pick<SummaryOptions, 'secretMeanings' | 'replayed' | 'coverage' | 'detail' | 'minCoverage'> {
  /** Whether to print each exchange, with everything else. @defaultValue false */
  readonly exchanges?: boolean | undefined;
  /** Writes one line. */
  readonly writeLine: (line: string) => void;
  /** Replaces the progress line, or removes it if the line is empty; undefined if the output is not a terminal. */
  readonly showProgress: ((line: string) => void) | undefined;
}

/** The width of the column of property names, if no name is longer. */
const usualNameWidth = 46;

const marks = {
  held: ['good', '✓', ''],
  broken: ['violation', '✗', ''],
  warned: ['warning', '!', ''],
  'given-up': ['faint', '–', ', given up'],
  'cut-off': ['faint', '–', ', cut off'],
  unjudged: ['faint', '–', ', not judged'],
} as const satisfies Readonly<Record<Verdict, unknown>>;

type RunStarted = Extract<RunEvent, { kind: 'run-started' }>;

/** Creates the console report. It writes progress during a run or traffic, and a summary at the end. */
export function createConsoleReport(options: ConsoleReportOptions): Report {
  const { writeLine, showProgress, paint, width, source, detail } = options;
  let [requests, done, total, found, shownAt] = [0, 0, 0, 0, 0];
  // Property names come one by one, and printed lines cannot move.
  let nameWidth = usualNameWidth;
  let subject = source;
  let started: RunStarted | undefined;
  let ended: Ended | undefined;

  function begin({ title, version }: { title: string; version: string }, lines: readonly string[]): void {
    if (detail === 'verdict') return;
    writeLine(`${paint('strong', title)} ${version} ${paint('faint', `(${source})`)}`);
    lines.flatMap((line) => wrapText(line, { width, indent: 2 })).forEach(writeLine);
  }

  function write(...lines: readonly string[]): void {
    showProgress?.('');
    lines.forEach(writeLine);
  }

  function progress(describe: () => string): void {
    // More than ten updates a second cannot be read.
    if (showProgress !== undefined && Date.now() - shownAt > 100) {
      shownAt = Date.now();
      showProgress(describe());
    }
  }

  const countOf = (noun: string): string => `${plural(requests, noun)}, ${plural(found, 'finding')}`;

  function read(event: ReportEvent): void {
    switch (event.kind) {
      case 'run-started':
        started = event;
        total = event.properties;
        subject = `${source} on ${event.target}`;
        begin(event.contract, describePlan(event, options));
        return;
      case 'exchange':
        requests += 1;
        if (showsExchange(event.suite, options)) {
          write(...describeExchange(event.judged, options));
          return;
        }
        progress(() => {
          const properties = `${done}/${plural(total, 'property', 'properties')}`;
          return `${properties}, ${countOf('request')}: ${event.suite}/${event.property}`;
        });
        return;
      case 'case-failed':
        // It says at once what was found, however long the case takes to become smaller.
        shownAt = 0;
        progress(() => {
          const { title, check, operation } = event.finding;
          return `making a case smaller: ${title ?? check} (${operation})`;
        });
        return;
      case 'waiting':
        if (detail === 'whole')
          write(`  waiting ${Math.ceil(event.ms)} ms, as the service answered ${event.status}`);
        else progress(() => `waiting, as the service answered ${event.status}`);
        return;
      case 'notice':
        write(...(detail === 'verdict' ? [] : [event.text]));
        return;
      case 'finding':
      case 'traffic-finding':
        found += 1;
        return;
      case 'property-finished':
        done += 1;
        nameWidth = Math.max(nameWidth, nameOf(event.result).length);
        if (detail === 'whole') write(renderProperty(event.result, nameWidth, paint));
        return;
      case 'run-finished':
        ended = { kind: 'suites', result: event.result };
        return;
      case 'traffic-started':
        subject = `${event.target} by ${source}`;
        begin(event.contract, [`Judging ${event.target} by ${event.from}`]);
        return;
      case 'traffic-exchange':
      case 'traffic-unjudged':
        requests += 1;
        progress(() => countOf('exchange'));
        return;
      case 'traffic-finished':
        ended = { kind: 'traffic', result: event.result };
    }
  }

  function end({ isWhole }: RunEnd): void {
    const summary = { ...options, isWhole, subject };
    if (ended !== undefined) write(...renderSummary(ended, summary));
    else write(...(started === undefined ? [] : renderEmpty(started, requests, summary)));
  }

  return { read, end };
}

/** Renders the verdict of a run that ended before it came to a result. */
function renderEmpty(started: RunStarted, requests: number, options: SummaryOptions): readonly string[] {
  const result = emptyResult(started, { requests, durationMs: 0, findings: [] });
  const verdict = renderVerdict({ kind: 'suites', result }, options);
  return options.detail === 'verdict' ? [verdict] : ['', verdict];
}

const nameOf = ({ suite, property }: PropertyResult): string => `${suite}/${property}`;

function renderProperty(result: PropertyResult, nameWidth: number, paint: Look['paint']): string {
  const [tone, mark, words] = marks[result.verdict];
  const figures = `${plural(result.cases, 'case')}, ${plural(result.requests, 'request')}${words}`;
  return `  ${paint(tone, mark)} ${nameOf(result).padEnd(nameWidth)} ${paint('faint', figures)}`;
}

/** Returns whether each exchange of a suite is printed: in a replay, and if the options say so. */
function showsExchange(
  suite: string,
  { detail, replayed, exchanges }: Pick<ConsoleReportOptions, 'detail' | 'replayed' | 'exchanges'>,
): boolean {
  return (detail === 'whole' && replayed !== undefined) || (exchanges === true && suite !== 'preflight');
}

function describeExchange(
  { exchange, request: { framing } }: CheckedExchange,
  options: ConsoleReportOptions,
): readonly string[] {
  const { request, answer } = exchange;
  const shown = redactText(describeAnswer(answer), options.secrets);
  return [`  ${renderCurl(request, options, { framing })}`, `    ${shown}`];
}

function describePlan(
  plan: Extract<RunEvent, { kind: 'run-started' }>,
  { replayed, detail }: Pick<SummaryOptions, 'replayed' | 'detail'>,
): readonly string[] {
  const { target, properties, cases, creates, seed, keys, keptForEver = [], shard, merged, workers } = plan;
  if (workers !== undefined) return [`Tested ${target} with ${plural(workers, 'worker')}, seed ${seed}`];
  if (merged !== undefined) return [`Merged ${plural(merged, 'shard')} of a test of ${target}, seed ${seed}`];
  const part = shard === undefined ? '' : `, shard ${shard.index} of ${shard.total}`;
  const made =
    creates === 0 ? '' : `; may create up to ${plural(creates, 'item')} (--read-only creates none)`;
  const kept = keptForEver.length === 0 ? '' : `; no operation deletes those in ${listSome(keptForEver)}`;
  return [
    `Testing ${target}, seed ${seed}${part}${detail === 'whole' ? `, ids ${keys[0]} to ${keys[1]}` : ''}`,
    replayed === undefined
      ? `Up to ${plural(properties, 'property', 'properties')}, ${plural(cases, 'case')}${made}${kept}`
      : `One case of ${replayed}`,
  ];
}
