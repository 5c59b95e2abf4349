import type { Paint } from '../errors/console-text.ts';
import type {
  PropertyResult,
  RunEvent,
  RunResult,
  TrafficEvent,
  TrafficResult,
  Verdict,
} from '../runner/events.ts';
import type { FindingSurroundings, Report, ReportEvent } from './report.ts';
import { plural, wrapText } from './text/format.ts';
import { renderSummary, renderTrafficSummary, type SummaryOptions } from './text/summary.ts';

/** Where the console report writes. */
export interface ConsoleReportOptions
  extends FindingSurroundings, Pick<SummaryOptions, 'secretMeanings' | 'replayed' | 'coverage'> {
  /** Takes whole lines. */
  readonly writeLine: (line: string) => void;
  /** Shows a line in the place of the last one, or takes it away when empty; undefined where nobody watches. */
  readonly showProgress: ((line: string) => void) | undefined;
}

/** The columns that the names of properties take, where none is longer. */
const usualNameWidth = 46;

function renderMark(verdict: Verdict, paint: Paint): string {
  switch (verdict) {
    case 'held':
      return paint('good', '✓');
    case 'broken':
      return paint('violation', '✗');
    case 'advised':
      return paint('advice', '!');
    case 'given-up':
    case 'unjudged':
      return paint('faint', '–');
  }
}

function renderProperty(
  { suite, property, cases, requests, verdict }: PropertyResult,
  { paint, nameWidth }: { readonly paint: Paint; readonly nameWidth: number },
): string {
  const words = verdict === 'given-up' ? ', given up' : verdict === 'unjudged' ? ', not judged' : '';
  const figures = `${plural(cases, 'case')}, ${plural(requests, 'request')}${words}`;
  return `  ${renderMark(verdict, paint)} ${`${suite}/${property}`.padEnd(nameWidth)} ${paint('faint', figures)}`;
}

function renderPlan(
  { target, properties, cases, creates, seed, keys }: Extract<RunEvent, { kind: 'run-started' }>,
  replayed: string | undefined,
): readonly string[] {
  return [
    `Testing ${target}: seed ${seed}, keys ${keys[0]} to ${keys[1]}`,
    replayed === undefined
      ? `${plural(properties, 'property', 'properties')}, ${plural(cases, 'case')} planned, at most ${plural(creates, 'create')}`
      : `One case of ${replayed}`,
  ];
}

/** Which service is judged, and by what traffic, in words. */
function renderSource({ target, from }: Extract<TrafficEvent, { kind: 'traffic-started' }>): string {
  return `Judging ${target} by ${from}`;
}

/** Creates the reader of events that writes for a person: as a run, or traffic, goes on, and at its end. */
export function createConsoleReport(options: ConsoleReportOptions): Report {
  const { writeLine, showProgress, paint, width, source } = options;
  let requests = 0;
  let done = 0;
  let total = 0;
  let found = 0;
  let planned = 0;
  let shownAt = 0;
  // Names come one by one; what has come is not to be moved.
  let nameWidth = usualNameWidth;
  let result: RunResult | undefined;
  let traffic: TrafficResult | undefined;

  function progress(current: string): void {
    // Ten times a second is all that an eye follows.
    if (showProgress !== undefined && Date.now() - shownAt > 100) {
      shownAt = Date.now();
      showProgress(
        `${done}/${plural(total, 'property', 'properties')}, ${plural(requests, 'request')}, ${plural(found, 'finding')}: ${current}`,
      );
    }
  }

  function writeTitle({ title, version }: { readonly title: string; readonly version: string }): void {
    writeLine(`${paint('strong', title)} ${version} ${paint('faint', `(${source})`)}`);
  }

  function progressOfTraffic(): void {
    if (showProgress !== undefined && Date.now() - shownAt > 100) {
      shownAt = Date.now();
      showProgress(`${plural(requests, 'exchange')}, ${plural(found, 'finding')}`);
    }
  }

  function read(event: ReportEvent): void {
    switch (event.kind) {
      case 'run-started':
        total = event.properties;
        planned = event.cases;
        writeTitle(event.contract);
        renderPlan(event, options.replayed)
          .flatMap((line) => wrapText(line, { width, indent: 2 }))
          .forEach(writeLine);
        return;
      case 'exchange':
        requests += 1;
        progress(`${event.suite}/${event.property}`);
        return;
      case 'waiting':
        showProgress?.('');
        writeLine(`  waiting ${Math.ceil(event.ms)} ms, as the service answered ${event.status}`);
        return;
      case 'finding':
        found += 1;
        return;
      case 'property-finished':
        done += 1;
        showProgress?.('');
        nameWidth = Math.max(nameWidth, `${event.result.suite}/${event.result.property}`.length);
        writeLine(renderProperty(event.result, { paint, nameWidth }));
        return;
      case 'run-finished':
        ({ result } = event);
        return;
      case 'traffic-started':
        writeTitle(event.contract);
        wrapText(renderSource(event), { width, indent: 2 }).forEach(writeLine);
        return;
      case 'traffic-exchange':
      case 'traffic-unjudged':
        requests += 1;
        progressOfTraffic();
        return;
      case 'traffic-finding':
        found += 1;
        return;
      case 'traffic-finished':
        traffic = event.result;
    }
  }

  function end({ isWhole }: { readonly isWhole: boolean }): void {
    showProgress?.('');
    if (result !== undefined) {
      renderSummary(result, { ...options, planned, isWhole }).forEach(writeLine);
    }
    if (traffic !== undefined) {
      renderTrafficSummary(traffic, { ...options, isWhole }).forEach(writeLine);
    }
  }

  return { read, end };
}
