import type { RunFinding } from '../runner/run-event.ts';
import type { TrafficFinding } from '../runner/traffic-event.ts';

/** A finding as reports tell it: of a run, which can be replayed, or of traffic that somebody else made. */
export type ReportedFinding = RunFinding | TrafficFinding;
