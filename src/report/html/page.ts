import type { Redactor } from '../../http/create-redactor.ts';
import type { CollectedRun } from '../collect-run.ts';
import type { ReportOptions } from '../report-options.ts';
import type { LatencyDistribution } from './latency-recorder.ts';

/** What the parts of the page are made of. */
export interface Page {
  readonly run: CollectedRun;
  readonly options: Omit<ReportOptions, 'write'>;
  /** Hides secrets in what came from outside, before anything is cut or marked in it. */
  readonly redactor: Redactor;
  readonly latency: LatencyDistribution;
  /** How often each kind of answer came: a status, or words for what is none; in order. */
  readonly answers: readonly { readonly answer: string; readonly count: number }[];
}
