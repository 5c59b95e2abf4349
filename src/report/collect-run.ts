import type { RunEvent, RunFinding, RunResult } from '../runner/run-event.ts';
import type { RunEnd } from './report.ts';

/** A run as it stands once it has ended. */
export interface CollectedRun {
  readonly started: Extract<RunEvent, { kind: 'run-started' }>;
  /** When it began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Of a run that ended before it came to anything, one that is empty. */
  readonly result: RunResult;
  readonly end: RunEnd;
}

/** Keeps of a run what a report that is written at its end needs; no exchange is kept. */
export interface RunCollector {
  readonly read: (event: RunEvent) => void;
  /** @returns undefined where the run ended before it began, so that there is nothing to report */
  readonly close: (end: RunEnd) => CollectedRun | undefined;
}

function emptyResult(
  { seed, keys }: CollectedRun['started'],
  input: { readonly findings: readonly RunFinding[]; readonly requests: number; readonly durationMs: number },
): RunResult {
  return {
    seed,
    keys,
    ...input,
    observations: [],
    properties: [],
    notChecked: [],
    waits: 0,
    interrupted: false,
    brokenOff: [],
    coverage: [],
    gone: [],
  };
}

/** Creates what collects a run from its events. */
export function collectRun({ now }: { readonly now: () => number }): RunCollector {
  let started: CollectedRun['started'] | undefined;
  let startedAt = 0;
  let result: RunResult | undefined;
  let requests = 0;
  const findings: RunFinding[] = [];
  return {
    read(event) {
      switch (event.kind) {
        case 'run-started':
          started = event;
          startedAt = now();
          return;
        case 'exchange':
          requests += 1;
          return;
        case 'finding':
          findings.push(event.finding);
          return;
        case 'run-finished':
          ({ result } = event);
          return;
        case 'waiting':
        case 'property-finished':
      }
    },
    close(end) {
      if (started === undefined) {
        return undefined;
      }
      const durationMs = now() - startedAt;
      return {
        started,
        startedAt,
        result: result ?? emptyResult(started, { findings, requests, durationMs }),
        end,
      };
    },
  };
}
