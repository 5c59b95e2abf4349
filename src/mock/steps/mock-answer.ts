import type { Condition } from '../../policy/condition.ts';
import type { QuestionId } from '../../policy/question-id.ts';
import type { RequestProblem } from '../log/logged-request.ts';
import type { ConnectionFault } from './connection-fault.ts';
import type { Delivery } from './delivery.ts';

/** What an answer is about; the log shows it. */
export interface AnswerNote {
  /** The id of the operation, where the request led to one. */
  readonly operation?: string;
  /** Why the request was refused. */
  readonly condition?: Condition | ConnectionFault;
  /**
   * Set where the document does not declare the answer: the question of the policy that decided it, or the
   * condition where no question is open, or `forced`.
   */
  readonly undeclared?: QuestionId | Condition | ConnectionFault | 'forced';
  /** What the error body says. */
  readonly message?: string;
  /** What of the request speaks against it, made when it is asked for. */
  readonly problems?: () => readonly RequestProblem[];
  /** Set where a fault or a preference of the request decided the answer. */
  readonly forced?: true;
  /** The names in lower case of fields that a rule gives, which nothing takes the place of. */
  readonly givenFields?: readonly string[];
  /** The id of the rule that made the request go wrong. */
  readonly fault?: string;
}

/** An answer, ready to be written by any transport. */
export interface MockAnswer {
  /** 0 where the connection is dropped, so that there is no answer. */
  readonly status: number;
  /** Names and values in turn. Content-Length is left to the transport. */
  readonly headers: readonly string[];
  /** The content; undefined where there is none and may be none (RFC 9110 §6.4.1). */
  readonly body: string | Uint8Array | undefined;
  readonly note: AnswerNote;
  /** Set where it is to come late, or not whole; see {@link Delivery}. */
  readonly delivery?: Delivery | undefined;
}
