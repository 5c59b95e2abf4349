import type { LatencyRecorder } from '../../events/latency.ts';
import type { Redactor } from '../../http/redact.ts';
import type { CollectedRun } from '../collect.ts';
import type { ReportOptions } from '../report.ts';

/** The data that the parts of the page are rendered from. */
export interface Page {
  readonly run: CollectedRun;
  readonly options: Omit<ReportOptions, 'write'>;
  /** Hides secrets in foreign text, before the text is cut or marked. */
  readonly redactor: Redactor;
  readonly latency: Readonly<Omit<LatencyRecorder, 'add'>>;
  /** The count of each kind of response, in order: a status, or words if there was none. */
  readonly answers: readonly { readonly answer: string; readonly count: number }[];
}
