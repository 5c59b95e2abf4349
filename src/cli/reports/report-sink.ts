import type { ClocheError } from '../../errors/cloche-error.ts';

/** Where a report goes. */
export interface ReportSink {
  /** Takes a piece; it never throws, so that a full disk does not end a run. */
  readonly write: (text: string) => void;
  /**
   * Puts what was written in its place, all at once; without a piece nothing is put there.
   *
   * @returns what went wrong, then or while it was written
   */
  readonly close: () => ClocheError | undefined;
}
