import type { Answer } from '../http/answer.ts';
import { createRedactor } from '../http/create-redactor.ts';
import { collectRun } from './collect-run.ts';
import { createLatencyRecorder } from './html/latency-recorder.ts';
import { renderPage } from './html/render-page.ts';
import type { ReportOptions } from './report-options.ts';
import type { Report } from './report.ts';

const words: Readonly<Record<Exclude<Answer['kind'], 'response'>, string>> = {
  'timed-out': 'no whole answer in time',
  dropped: 'a dropped connection',
  'not-http': 'bytes that are not HTTP',
  unreachable: 'no connection',
};

/**
 * Creates the report that is one page of HTML: it loads nothing, holds no secret, and shows whatever bytes came
 * as text. Of the exchanges only their number and times are kept, so that a long run takes no more memory.
 */
export function createHtmlReport(options: ReportOptions): Report {
  const collector = collectRun(options);
  const latency = createLatencyRecorder();
  const answers = new Map<string, number>();
  return {
    read(event) {
      collector.read(event);
      if (event.kind === 'exchange' || event.kind === 'traffic-exchange') {
        const { answer, durationMs } = event.judged.exchange;
        const isResponse = answer.kind === 'response';
        const name = isResponse ? String(answer.response.status) : words[answer.kind];
        answers.set(name, (answers.get(name) ?? 0) + 1);
        if (isResponse) {
          latency.add(durationMs);
        }
      }
    },
    end(end) {
      const run = collector.close(end);
      if (run === undefined) {
        return;
      }
      options.write(
        renderPage({
          run,
          options,
          redactor: createRedactor(options.secrets),
          latency: latency.read(),
          answers: [...answers]
            .map(([answer, count]) => ({ answer, count }))
            .toSorted((left, right) => left.answer.localeCompare(right.answer, 'en')),
        }),
      );
    },
  };
}
