import type { JsonValue } from '../json/json-value.ts';
import type { Mask } from '../policy/mask.ts';
import type { Answers } from '../policy/policy.ts';
import type { QuestionId } from '../policy/question-id.ts';

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
  | ({ readonly kind: 'masked' } & Mask)
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
