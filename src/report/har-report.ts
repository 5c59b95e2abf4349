import { createRedactor } from '../http/create-redactor.ts';
import { harEntry, type RecordedExchange } from './har/har-entry.ts';
import type { Report, ReportEvent } from './report.ts';
import type { ReportOptions } from './report-options.ts';

/** @returns undefined for what is no exchange */
function toRecorded(event: ReportEvent): RecordedExchange | undefined {
  switch (event.kind) {
    case 'exchange': {
      const { judged, startedAt, suite, property } = event;
      return { ...judged, startedAt, note: { suite, property } };
    }
    case 'traffic-exchange': {
      const { judged, startedAt, place } = event;
      return { ...judged, startedAt, note: { place } };
    }
    case 'traffic-unjudged': {
      const { exchange, startedAt, place, reason } = event;
      return { exchange, startedAt, findings: [], note: { place, unjudged: reason } };
    }
    default:
      return undefined;
  }
}

/** What the record is of; undefined for an event that begins nothing. */
function describeStart(event: ReportEvent): string | undefined {
  switch (event.kind) {
    case 'run-started':
      return `on ${event.target}, seed ${event.seed}`;
    case 'traffic-started':
      return `on ${event.target}, ${event.from}`;
    default:
      return undefined;
  }
}

/**
 * Creates the record of every exchange, a HAR 1.2 file. It is written as the run goes, so that a long run is
 * not kept in memory, and ended so that it is whole JSON however the run ends.
 */
export function createHarReport(options: ReportOptions): Report {
  const { write, baseUrl, headers, contract } = options;
  const redactor = createRedactor(options.secrets);
  let entries = 0;
  let hasBegun = false;
  return {
    read(event) {
      const start = describeStart(event);
      const recorded = toRecorded(event);
      if (start !== undefined) {
        hasBegun = true;
        const creator = { name: 'cloche', version: options.toolVersion };
        const comment = redactor.text(`${contract.title} ${contract.version} ${start}`);
        write(
          `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"comment":${JSON.stringify(comment)},"entries":[`,
        );
      } else if (recorded !== undefined) {
        write(entries === 0 ? '\n' : ',\n');
        write(JSON.stringify(harEntry(recorded, { baseUrl, headers, redactor })));
        entries += 1;
      }
    },
    end() {
      if (hasBegun) {
        write('\n]}}\n');
      }
    },
  };
}
