import type { Contract } from '../contract/contract.ts';
import type { Send } from '../http/send.ts';
import type { Policy } from '../policy/policy.ts';
import type { Baseline } from './baseline.ts';
import type { RunEvent } from './run-event.ts';
import type { Suite } from './suite.ts';

/** What a run is told. */
export interface RunOptions {
  readonly contract: Contract;
  readonly suites: readonly Suite[];
  readonly send: Send;
  /**
   * Sends over a raw socket, for the properties that look at how answers are framed; undefined where there is
   * no connection to look at, and those properties are then not checked.
   */
  readonly socketSend: Send | undefined;
  /** What is tested, in words: a base URL, or `the in-process mock`. */
  readonly target: string;
  readonly policy: Policy;
  /** Whether the service is held to every answer of the policy. */
  readonly told: boolean;
  readonly echo: 'violation' | 'advice' | undefined;
  /** For bearer and API keys the token itself, for basic authentication `user:password`. */
  readonly token: string | undefined;
  readonly seed: number;
  /** Replays one case: `suite/property:0:1`. */
  readonly path: string | undefined;
  /** How many cases each property tries, its examples included. */
  readonly runs: number;
  /** How many properties are under way at once. */
  readonly connections: number;
  /** The keys that the run may use, inclusive, within 1 to 2^31−1. */
  readonly keys: readonly [from: number, to: number];
  /** The most requests a second; undefined is no limit. */
  readonly rate: number | undefined;
  /** How long 429 and 503 are waited for in all, in milliseconds. */
  readonly rateWaitMs: number;
  /** The findings that are known; undefined is none. */
  readonly baseline?: Baseline | undefined;
  /** How long new cases are begun, in milliseconds; what is under way then is waited for. */
  readonly maxTimeMs?: number | undefined;
  /** Stop at the first violation that is not known. */
  readonly bail: boolean;
  readonly unsafeMethods: boolean;
  readonly signal: AbortSignal | undefined;
  readonly emit: (event: RunEvent) => void;
}
