import type { ClocheError } from '../../errors/cloche-error.ts';
import { escapeInStrings, escapeLine } from '../../errors/console-text.ts';
import type { ReportRequest } from './report-request.ts';
import type { ReportSink } from './report-sink.ts';
import { unwritableFile } from './unwritable-file.ts';

/** A report as it may be printed: what its notation has no escapes of its own for is written as it is named. */
function toPrinted(text: string, kind: ReportRequest['kind']): string {
  switch (kind) {
    case 'json':
    case 'har':
      return escapeInStrings(text);
    case 'html':
    case 'junit':
      return text.split('\n').map(escapeLine).join('\n');
    case 'github':
      // Its lines are commands, and it escapes what is in them.
      return text;
  }
}

/** Creates what writes a report to standard output, where it is alone. */
export function createStdoutSink(kind: ReportRequest['kind']): ReportSink {
  let failure: ClocheError | undefined;
  // Whoever reads it may stop reading (`| head`); the run goes on for its verdict.
  process.stdout.on('error', (cause) => {
    failure ??= unwritableFile({ what: 'the report', file: 'standard output', cause });
  });
  return {
    write(text) {
      if (failure === undefined) {
        process.stdout.write(toPrinted(text, kind));
      }
    },
    close: () => failure,
  };
}
