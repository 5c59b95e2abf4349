import type { Condition } from '../../policy/condition.ts';
import type { QuestionId } from '../../policy/question-id.ts';
import type { ConnectionFault } from './connection-fault.ts';

/** What an answer is about; the log shows it. */
export interface AnswerNote {
  /** The id of the operation, where the request led to one. */
  readonly operation?: string;
  /** Why the request was refused. */
  readonly condition?: Condition | ConnectionFault;
  /**
   * Set where the document does not declare the answer: the question of the policy that decided it, or the
   * condition where no question is open.
   */
  readonly undeclared?: QuestionId | Condition | ConnectionFault;
  /** What the error body says. */
  readonly message?: string;
}

/** An answer, ready to be written by any transport. */
export interface MockAnswer {
  readonly status: number;
  /** Names and values in turn. Content-Length is left to the transport. */
  readonly headers: readonly string[];
  /** The content; undefined where there is none and may be none (RFC 9110 §6.4.1). */
  readonly body: string | Uint8Array | undefined;
  readonly note: AnswerNote;
}
