import type { DataReport } from '../state/data-report.ts';

/** A resource that does not fit what a mock goes by now. */
export interface SetAside {
  /** The concrete path of its collection. */
  readonly collection: string;
  /** What it was kept under, as a JSON text. */
  readonly key: string;
  /** Why it does not fit, in words, without a full stop. */
  readonly reason: string;
}

/** What a change made of the state. */
export interface ChangeReport {
  /** How many resources stay where they are. */
  readonly kept: number;
  /**
   * Those that do not fit any more. They are kept in the snapshot `set-aside`, and come back with the first change
   * after which they fit.
   */
  readonly setAside: readonly SetAside[];
  /** How many fit again that were set aside before. */
  readonly broughtBack: number;
  /** What became of the data to start from, where that was changed. */
  readonly data?: DataReport;
}
