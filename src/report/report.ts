import type { RunEvent } from '../runner/run-event.ts';
import type { TrafficEvent } from '../runner/traffic-event.ts';

/** What a report reads: what happens in a run, or while traffic is judged. */
export type ReportEvent = RunEvent | TrafficEvent;

/** How a run ended, besides what it came to. */
export interface RunEnd {
  /** False where the service could no longer be judged. */
  readonly isWhole: boolean;
  /** Why it is not whole, in words, where that is known. */
  readonly why?: string;
}

/** A reader of the events of a run, or of traffic, that writes them down, in whichever form. */
export interface Report {
  /** Takes the next event; called in the order in which they happen. */
  readonly read: (event: ReportEvent) => void;
  /** Ends the report: called once, however the run ended, and also where it ended before it began. */
  readonly end: (run: RunEnd) => void;
}
