import type { CheckContext } from './check-context.ts';
import type { Finding } from './finding.ts';
import type { Judged } from './judged.ts';

/** What several exchanges show together. */
export interface TraceFinding extends Finding {
  /**
   * The exchanges that show it, where they are not all that there were.
   *
   * @defaultValue all
   */
  readonly shownBy?: readonly Judged[];
}

/** Draws conclusions from several exchanges that belong together, in the order in which they were sent. */
export type TraceCheck = (trace: readonly Judged[], context: CheckContext) => readonly TraceFinding[];
