import type { ClocheError } from '../../errors/cloche-error.ts';
import type { ReportSink } from './report-sink.ts';
import { unwritableFile } from './unwritable-file.ts';

/** Creates what writes a report to standard output, where it is alone. */
export function createStdoutSink(): ReportSink {
  let failure: ClocheError | undefined;
  // Whoever reads it may stop reading (`| head`); the run goes on for its verdict.
  process.stdout.on('error', (cause) => {
    failure ??= unwritableFile({ what: 'the report', file: 'standard output', cause });
  });
  return {
    write(text) {
      if (failure === undefined) {
        process.stdout.write(text);
      }
    },
    close: () => failure,
  };
}
