import type { RunEvent } from '../runner/run-event.ts';

/** A reader of the events of a run that writes them down, in whichever form. */
export interface Report {
  /** Takes the next event; called in the order in which they happen. */
  readonly read: (event: RunEvent) => void;
  /**
   * Ends the report: called once, however the run ended.
   *
   * @param run.isWhole - false where the service could no longer be judged
   */
  readonly end: (run: { readonly isWhole: boolean }) => void;
}
