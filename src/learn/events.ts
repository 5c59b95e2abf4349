import type { Contract, Operation } from '../contract/contract.ts';
import type { Exchange, HeaderList, Send } from '../http/message.ts';
import type { JsonValue } from '../json/value.ts';
import type { BehaviourValues, HiddenBy, BehaviourId } from '../policy/behaviour.ts';
import type { CredentialsProvider, OtherUsers } from '../session/credentials.ts';

/** An exchange that shows a value, without secrets. */
export interface LearntExchange {
  /** `POST /orders` */
  readonly request: string;
  readonly status: number;
  /** A bash command that repeats it; missing if it would be too long. */
  readonly curl?: string;
}

/** The result of probing a behaviour. */
export type LearntOutcome =
  | {
      readonly kind: 'settled';
      readonly answer: JsonValue;
      /** Values that no request through this contract can distinguish from it. */
      readonly alike: readonly JsonValue[];
      /** The number of trials that showed it. */
      readonly seen: number;
      readonly trials: number;
      /** The last exchanges of the first trial that showed it. */
      readonly exchanges: readonly LearntExchange[];
    }
  /** Another value hides it. */
  | ({ readonly kind: 'masked' } & HiddenBy)
  /** Trials differ. Therefore none of their values counts. */
  | {
      readonly kind: 'contradictory';
      readonly answers: readonly { readonly answer: JsonValue; readonly seen: number }[];
      readonly trials: number;
    }
  | { readonly kind: 'unsettled'; readonly why: string }
  /** The document specifies it. */
  | { readonly kind: 'answered'; readonly says: string; readonly answer?: JsonValue }
  /** The behaviour does not apply. */
  | { readonly kind: 'not-asked'; readonly why: string };

/** A behaviour of an operation, and the result of probing it. */
export interface LearntBehaviour {
  readonly operationId: string;
  readonly question: BehaviourId;
  readonly outcome: LearntOutcome;
}

/** The behaviours found in a service that its contract does not specify. */
export interface Learnt {
  /** The values that are the same for all operations. */
  readonly answers: Partial<BehaviourValues>;
  /** The values that differ, by operation. */
  readonly operations: Readonly<Record<string, Partial<BehaviourValues>>>;
  /** By operation, in the order of the probes. */
  readonly questions: readonly LearntBehaviour[];
  /** Whether learning ended before all probes. */
  readonly interrupted: boolean;
  readonly requests: number;
  /** The number of accepted requests that may have created something. */
  readonly creates: number;
  /** The number of waits after 429 and 503. */
  readonly waits: number;
}

/** The events of learning from a service, in order. */
export type LearnEvent =
  | {
      readonly kind: 'exchange';
      readonly operationId: string;
      /** `sample`: the search for a plain request that is accepted. */
      readonly question: BehaviourId | 'sample';
      readonly exchange: Exchange;
    }
  | { readonly kind: 'waiting'; readonly status: number; readonly ms: number }
  | { readonly kind: 'question'; readonly learnt: LearntBehaviour };

/** Options for learning from a service. */
export interface LearnOptions {
  readonly contract: Contract;
  readonly send: Send;
  /** The name of the service: the base URL, or `the in-process mock`. @defaultValue 'the service' */
  readonly target?: string;
  /** The base URL in curl lines. @defaultValue 'http://127.0.0.1:4010' */
  readonly baseUrl?: string;
  /** For bearer and API keys the token itself, for basic authentication `user:password`. */
  readonly token?: string | undefined;
  /** The source of credentials. @defaultValue the token, for all schemes */
  readonly credentials?: CredentialsProvider | undefined;
  /** Further users, for probes of what they get for the items of the first. @defaultValue none */
  readonly users?: OtherUsers | undefined;
  /** Operations that are not probed. They still create the items that others need. @defaultValue none */
  readonly excluded?: readonly Operation[];
  /** Header fields with credentials according to the document; probes of credentials omit them. @defaultValue none */
  readonly credentialHeaders?: HeaderList | undefined;
  /** Secrets besides the token that nothing may show. @defaultValue [] */
  readonly secrets?: readonly string[];
  /** The range of ids to use, inclusive, within 1 to 2^31−1. */
  readonly keys: readonly [from: number, to: number];
  /** The behaviours to probe. @defaultValue all */
  readonly questions?: readonly BehaviourId[];
  /** The number of trials for each behaviour. @defaultValue 3 */
  readonly trials?: number;
  /** The maximum number of requests. @defaultValue 5000 */
  readonly mostRequests?: number;
  /** The maximum number of items to create. @defaultValue no limit */
  readonly maxCreates?: number;
  /** The maximum time to wait after 429 and 503 in all, in milliseconds. @defaultValue 300_000 */
  readonly rateWaitMs?: number;
  /** The maximum number of requests per second. @defaultValue no limit */
  readonly rate?: number;
  /** Returns the time, in milliseconds. @defaultValue Date.now */
  readonly clock?: () => number;
  /** Waits for a number of milliseconds of that clock. @defaultValue a timer */
  readonly sleep?: (ms: number) => Promise<void>;
  /** Ends learning when it aborts. The result contains what was learnt until then. */
  readonly signal?: AbortSignal;
  readonly emit?: (event: LearnEvent) => void;
}
