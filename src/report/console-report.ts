import type { PropertyResult, RunEvent } from '../runner/run-event.ts';
import type { FindingSurroundings } from './render-finding.ts';
import { renderSummary } from './render-summary.ts';

/** Where the console report writes. */
export interface ConsoleReportOptions extends FindingSurroundings {
  /** Takes whole lines. */
  readonly writeLine: (line: string) => void;
  /** Shows a line in the place of the last one, or takes it away when empty; undefined where nobody watches. */
  readonly showProgress: ((line: string) => void) | undefined;
}

function renderProperty(
  { suite, property, cases, requests, violations, advice }: PropertyResult,
  surroundings: FindingSurroundings,
): string {
  const { paint } = surroundings;
  const mark =
    violations > 0 ? paint('violation', '✗') : advice > 0 ? paint('advice', '!') : paint('good', '✓');
  return `  ${mark} ${`${suite}/${property}`.padEnd(48)} ${paint('faint', `${cases} cases, ${requests} requests`)}`;
}

/** Creates the reader of a run's events that writes for a person: as the run goes, and at its end. */
export function createConsoleReport(options: ConsoleReportOptions): (event: RunEvent) => void {
  const { writeLine, showProgress, paint } = options;
  let requests = 0;
  let done = 0;
  let total = 0;
  let found = 0;
  let shownAt = 0;

  function progress(current: string): void {
    // Ten times a second is all that an eye follows.
    if (showProgress !== undefined && Date.now() - shownAt > 100) {
      shownAt = Date.now();
      showProgress(`${done}/${total} properties, ${requests} requests, ${found} findings — ${current}`);
    }
  }

  return (event) => {
    switch (event.kind) {
      case 'run-started':
        total = event.properties;
        writeLine(
          `${paint('strong', event.contract.title)} ${event.contract.version} ${paint('faint', `(${event.contract.source})`)}`,
        );
        writeLine(
          `Testing ${event.target}: seed ${event.seed}, keys ${event.keys[0]} to ${event.keys[1]}, ${event.creates} cases planned`,
        );
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
        writeLine(renderProperty(event.result, options));
        return;
      case 'run-finished':
        showProgress?.('');
        renderSummary(event.result, options).forEach(writeLine);
    }
  };
}
