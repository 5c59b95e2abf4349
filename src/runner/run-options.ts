import type { Contract } from '../contract/contract.ts';
import type { Send } from '../http/send.ts';
import type { Policy } from '../policy/policy.ts';
import type { QuestionId } from '../policy/question-id.ts';
import type { Baseline } from './baseline.ts';
import type { Against } from './parity/against.ts';
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
  /** The questions whose answers the service is held to, besides those that the policy answers for one operation. */
  readonly told: ReadonlySet<QuestionId>;
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
  /** Another service that is sent the same, to see whether they answer alike; undefined is none. */
  readonly against?: Against | undefined;
  /** Stop at the first violation that is not known. */
  readonly bail: boolean;
  readonly unsafeMethods: boolean;
  readonly signal: AbortSignal | undefined;
  readonly emit: (event: RunEvent) => void;
}
