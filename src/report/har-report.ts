import { createRedactor } from '../http/create-redactor.ts';
import { harEntry } from './har/har-entry.ts';
import type { Report } from './report.ts';
import type { ReportOptions } from './report-options.ts';

/**
 * Creates the record of every exchange, a HAR 1.2 file. It is written as the run goes, so that a long run is
 * not kept in memory, and ended so that it is whole JSON however the run ends.
 */
export function createHarReport(options: ReportOptions): Report {
  const { write, baseUrl, headers } = options;
  const redactor = createRedactor(options.secrets);
  let entries = 0;
  let hasBegun = false;
  return {
    read(event) {
      if (event.kind === 'run-started') {
        hasBegun = true;
        const creator = { name: 'cloche', version: options.toolVersion };
        const comment = redactor.text(
          `${event.contract.title} ${event.contract.version} on ${event.target}, seed ${event.seed}`,
        );
        write(
          `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"comment":${JSON.stringify(comment)},"entries":[`,
        );
      } else if (event.kind === 'exchange') {
        write(entries === 0 ? '\n' : ',\n');
        write(JSON.stringify(harEntry(event, { baseUrl, headers, redactor })));
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
