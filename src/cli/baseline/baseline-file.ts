import type { BaselineEntry } from '../../runner/baseline-entry.ts';

/** A baseline as it was read. */
export interface BaselineFile {
  /** As the user named it. */
  readonly file: string;
  /** Undefined where there is no such file yet. */
  readonly text: string | undefined;
  readonly entries: readonly BaselineEntry[];
}
