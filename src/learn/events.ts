import type { Contract } from '../contract/contract.ts';
import type { Exchange, HeaderList, Send } from '../http/message.ts';
import type { JsonValue } from '../json/value.ts';
import type { Answers, HiddenBy, QuestionId } from '../policy/question.ts';
import type { CredentialsProvider } from '../session/credentials.ts';

/** An exchange that shows an answer, without secrets. */
export interface LearntExchange {
  /** `POST /orders` */
  readonly request: string;
  readonly status: number;
  /** A line of bash that sends it again; missing where it would be too long. */
  readonly curl?: string;
}

/** What asking a question came to. */
export type LearntOutcome =
  | {
      readonly kind: 'settled';
      readonly answer: JsonValue;
      /** Answers that nothing sent through this contract could tell from it. */
      readonly alike: readonly JsonValue[];
      /** How many trials showed it. */
      readonly seen: number;
      readonly trials: number;
      /** The last ones of the first trial that showed it. */
      readonly exchanges: readonly LearntExchange[];
    }
  /** Another answer hides it. */
  | ({ readonly kind: 'masked' } & HiddenBy)
  /** Trials differ, so that none of their answers counts. */
  | {
      readonly kind: 'contradictory';
      readonly answers: readonly { readonly answer: JsonValue; readonly seen: number }[];
      readonly trials: number;
    }
  | { readonly kind: 'unsettled'; readonly why: string }
  /** The document answers it itself. */
  | { readonly kind: 'answered'; readonly says: string; readonly answer?: JsonValue }
  /** There was no occasion to ask. */
  | { readonly kind: 'not-asked'; readonly why: string };

/** A question about an operation, and what asking came to. */
export interface LearntQuestion {
  readonly operationId: string;
  readonly question: QuestionId;
  readonly outcome: LearntOutcome;
}

/** What a service was found to do where its contract is silent. */
export interface Learnt {
  /** Those that all operations agree on. */
  readonly answers: Partial<Answers>;
  /** Those on which they differ, by operation. */
  readonly operations: Readonly<Record<string, Partial<Answers>>>;
  /** Operation by operation, in the order in which they were asked. */
  readonly questions: readonly LearntQuestion[];
  /** Whether it was ended before everything was asked. */
  readonly interrupted: boolean;
  readonly requests: number;
  /** How many requests were taken that may have created something. */
  readonly creates: number;
  /** How often 429 and 503 were waited for. */
  readonly waits: number;
}

/** What happens while a service is asked, in order. */
export type LearnEvent =
  | {
      readonly kind: 'exchange';
      readonly operationId: string;
      /** `sample`: it finds out which plain request is accepted. */
      readonly question: QuestionId | 'sample';
      readonly exchange: Exchange;
    }
  | { readonly kind: 'waiting'; readonly status: number; readonly ms: number }
  | { readonly kind: 'question'; readonly learnt: LearntQuestion };

/** How a service is asked. */
export interface LearnOptions {
  readonly contract: Contract;
  readonly send: Send;
  /** What is asked, in words: the base URL, or `the in-process mock`. @defaultValue 'the service' */
  readonly target?: string;
  /** What curl lines name. @defaultValue 'http://127.0.0.1:4010' */
  readonly baseUrl?: string;
  /** For bearer and API keys the token itself, for basic authentication `user:password`. */
  readonly token?: string | undefined;
  /** Where credentials come from. @defaultValue the token, for all schemes */
  readonly credentials?: CredentialsProvider | undefined;
  /** Header fields that carry credentials by the document; probes of credentials omit them. @defaultValue none */
  readonly credentialHeaders?: HeaderList | undefined;
  /** What nothing may show besides the token. @defaultValue [] */
  readonly secrets?: readonly string[];
  /** The keys that may be used, inclusive, within 1 to 2^31−1. */
  readonly keys: readonly [from: number, to: number];
  /** Only these are asked. @defaultValue all */
  readonly questions?: readonly QuestionId[];
  /** Times to ask each question. @defaultValue 3 */
  readonly trials?: number;
  /** No more are sent. @defaultValue 5000 */
  readonly mostRequests?: number;
  /** How long 429 and 503 are waited for in all, in milliseconds. @defaultValue 300_000 */
  readonly rateWaitMs?: number;
  /** Maximum requests per second. @defaultValue no limit */
  readonly rate?: number;
  /** The time, in milliseconds. @defaultValue Date.now */
  readonly clock?: () => number;
  /** Waits so many milliseconds of that clock. @defaultValue a timer */
  readonly sleep?: (ms: number) => Promise<void>;
  /** Ends it where it aborts: what was learnt by then is what comes of it. */
  readonly signal?: AbortSignal;
  readonly emit?: (event: LearnEvent) => void;
}
