import type { Contract } from '../contract/contract.ts';
import type { Send } from '../http/send.ts';
import type { QuestionId } from '../policy/question-id.ts';
import type { LearnEvent } from './learn-event.ts';

/** How a service is asked. */
export interface LearnOptions {
  readonly contract: Contract;
  readonly send: Send;
  /** What is asked, in words: the base URL, or `the in-process mock`. @defaultValue 'the service' */
  readonly target?: string;
  /** What curl lines name. @defaultValue 'http://127.0.0.1:4010' */
  readonly baseUrl?: string;
  /** For bearer and API keys the token itself, for basic authentication `user:password`. */
  readonly token: string | undefined;
  /** What nothing may show besides the token. @defaultValue [] */
  readonly secrets?: readonly string[];
  /** The keys that may be used, inclusive, within 1 to 2^31−1. */
  readonly keys: readonly [from: number, to: number];
  /** Only these are asked. @defaultValue all */
  readonly questions?: readonly QuestionId[];
  /** How often each question is asked. @defaultValue 3 */
  readonly trials?: number;
  /** No more are sent. @defaultValue 5000 */
  readonly mostRequests?: number;
  /** How long 429 and 503 are waited for in all, in milliseconds. @defaultValue 300_000 */
  readonly rateWaitMs?: number;
  /** The most requests a second. @defaultValue no limit */
  readonly rate?: number;
  /** The time, in milliseconds. @defaultValue Date.now */
  readonly clock?: () => number;
  /** Waits so many milliseconds of that clock. @defaultValue a timer */
  readonly sleep?: (ms: number) => Promise<void>;
  /** Ends it where it aborts: what was learnt by then is what comes of it. */
  readonly signal?: AbortSignal;
  readonly emit?: (event: LearnEvent) => void;
}
