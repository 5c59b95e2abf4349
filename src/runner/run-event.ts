import type { Finding } from '../check/finding.ts';
import type { Judged } from '../check/judged.ts';
import type { HttpRequest } from '../http/http-request.ts';
import type { BaselineEntry } from './baseline-entry.ts';
import type { OperationCoverage } from './operation-coverage.ts';
import type { ParityResult } from './parity/parity-result.ts';

/** A finding with the exchange that shows it, wherever that came from. */
export interface FoundCause {
  /** Names the cause in whichever run it is seen: it depends on no seed, key or generated value. */
  readonly id: string;
  readonly finding: Finding;
  /** The exchange that shows it, the smallest that was found. */
  readonly exchange: Judged;
  /** The requests that show it, in order: of a run with keys that it has not sent, of traffic as they were sent. */
  readonly requests: readonly HttpRequest[];
  /** The same requests as another service is sent them, where two are compared and it answers otherwise. */
  readonly elsewhere?: readonly HttpRequest[];
  /** Whether they show it only when they are sent side by side. */
  readonly sideBySide?: true;
  /** What each of several requests was answered, a status or why there was none; missing where that is not known. */
  readonly outcomes?: readonly string[];
  /** How often it was seen. */
  readonly count: number;
  /** The entry of the baseline that lets it pass, where there is one that holds today. */
  readonly known?: BaselineEntry;
  /** The entry of the baseline that let it pass until it expired. */
  readonly expired?: BaselineEntry;
}

/** A finding of a run, with all that a reader needs to see it again. */
export interface RunFinding extends FoundCause {
  readonly suite: string;
  readonly property: string;
  /** What replays it: `--seed` and `--path`. */
  readonly replay: { readonly seed: number; readonly path: string };
  /** How often it came back when its case was run again. */
  readonly confirmed: { readonly seen: number; readonly tried: number };
}

/** Something that was not checked, and why. */
export interface NotChecked {
  readonly what: string;
  readonly reason: string;
  /** True where the document gives a suite no occasion, so that nothing is missing. */
  readonly notApplicable?: true;
}

/**
 * What the exchanges of a property say of its statement (held: nothing against it; broken: a violation; advised:
 * an advice; given-up: every further case might have taken a whole time-out; unjudged: no case showed anything).
 */
export type Verdict = 'held' | 'broken' | 'advised' | 'given-up' | 'unjudged';

/** What one property came to. */
export interface PropertyResult {
  readonly suite: string;
  readonly property: string;
  readonly title: string;
  readonly cases: number;
  readonly requests: number;
  /** What its own exchanges came to, whoever was the first to show it. */
  readonly verdict: Verdict;
}

/** What was concluded from exchanges, wherever they came from. */
export interface Conclusions {
  /** What the document is silent about and how the service answers, with how often it was seen. */
  readonly observations: readonly { readonly finding: Finding; readonly count: number }[];
  readonly notChecked: readonly NotChecked[];
  readonly durationMs: number;
  readonly interrupted: boolean;
  /** What of the contract was exercised, operation by operation. */
  readonly coverage: readonly OperationCoverage[];
  /** The entries of the baseline that a whole run did not see; empty without a baseline. */
  readonly gone: readonly BaselineEntry[];
  /** What comparing two services came to; missing where there is but one. */
  readonly parity?: ParityResult;
}

/** What a run came to. */
export interface RunResult extends Conclusions {
  readonly seed: number;
  /** The first and the last key that the run may have used. */
  readonly keys: readonly [from: number, to: number];
  readonly findings: readonly RunFinding[];
  readonly properties: readonly PropertyResult[];
  readonly requests: number;
  /** Answers of 429 and 503 that were waited for. */
  readonly waits: number;
  /**
   * The exchanges that were broken off before the service was gone, those that are not plain first; empty where
   * it is still there.
   */
  readonly brokenOff: readonly Judged[];
}

/** What happens in a run, in order; reports read nothing else of it. */
export type RunEvent =
  | {
      readonly kind: 'run-started';
      readonly target: string;
      readonly contract: { readonly title: string; readonly version: string; readonly source: string };
      readonly seed: number;
      readonly keys: readonly [from: number, to: number];
      readonly properties: number;
      /** How many cases are planned. */
      readonly cases: number;
      /** The most requests that they make, of which each may create something. */
      readonly creates: number;
    }
  | {
      readonly kind: 'exchange';
      readonly suite: string;
      readonly property: string;
      readonly judged: Judged;
      /** When the request was sent, in milliseconds since 1970. */
      readonly startedAt: number;
    }
  | { readonly kind: 'waiting'; readonly status: number; readonly ms: number }
  | { readonly kind: 'finding'; readonly finding: RunFinding }
  | { readonly kind: 'property-finished'; readonly result: PropertyResult }
  | { readonly kind: 'run-finished'; readonly result: RunResult };
