import type { Conclusions, RunEvent, RunFinding, RunResult } from '../runner/run-event.ts';
import type { TrafficEvent, TrafficFinding, TrafficResult } from '../runner/traffic-event.ts';
import type { ReportEvent, RunEnd } from './report.ts';

interface Collected<Started, Result> {
  readonly started: Started;
  /** When it began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Of what ended before it came to anything, one that is empty. */
  readonly result: Result;
  readonly end: RunEnd;
}

/** A run of suites as it stands once it has ended. */
export interface CollectedSuites extends Collected<Extract<RunEvent, { kind: 'run-started' }>, RunResult> {
  readonly kind: 'suites';
}

/** Judged traffic as it stands once it has ended. */
export interface CollectedTraffic extends Collected<
  Extract<TrafficEvent, { kind: 'traffic-started' }>,
  TrafficResult
> {
  readonly kind: 'traffic';
}

/** What was reported on, once it has ended. */
export type CollectedRun = CollectedSuites | CollectedTraffic;

/** Keeps of a run what a report that is written at its end needs; no exchange is kept. */
export interface RunCollector {
  readonly read: (event: ReportEvent) => void;
  /** @returns undefined where the run ended before it began, so that there is nothing to report */
  readonly close: (end: RunEnd) => CollectedRun | undefined;
}

function emptyConclusions(durationMs: number): Conclusions {
  return { observations: [], notChecked: [], durationMs, interrupted: false, coverage: [], gone: [] };
}

/** Creates what collects a run, or judged traffic, from its events. */
export function collectRun({ now }: { readonly now: () => number }): RunCollector {
  let suites: CollectedSuites['started'] | undefined;
  let traffic: CollectedTraffic['started'] | undefined;
  let startedAt = 0;
  let result: RunResult | undefined;
  let trafficResult: TrafficResult | undefined;
  let requests = 0;
  const findings: RunFinding[] = [];
  const trafficFindings: TrafficFinding[] = [];
  return {
    read(event) {
      switch (event.kind) {
        case 'run-started':
          suites = event;
          startedAt = now();
          return;
        case 'traffic-started':
          traffic = event;
          startedAt = now();
          return;
        case 'exchange':
        case 'traffic-exchange':
          requests += 1;
          return;
        case 'finding':
          findings.push(event.finding);
          return;
        case 'traffic-finding':
          trafficFindings.push(event.finding);
          return;
        case 'run-finished':
          ({ result } = event);
          return;
        case 'traffic-finished':
          trafficResult = event.result;
          return;
        case 'waiting':
        case 'property-finished':
        case 'traffic-unjudged':
      }
    },
    close(end) {
      const nothing = emptyConclusions(now() - startedAt);
      if (traffic !== undefined) {
        const none = { ...nothing, findings: trafficFindings, judged: requests, unjudged: [] };
        return { kind: 'traffic', started: traffic, startedAt, end, result: trafficResult ?? none };
      }
      if (suites === undefined) {
        return undefined;
      }
      const { seed, keys } = suites;
      const none = { ...nothing, seed, keys, findings, requests, properties: [], waits: 0, brokenOff: [] };
      return { kind: 'suites', started: suites, startedAt, end, result: result ?? none };
    },
  };
}
