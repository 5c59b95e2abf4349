import type { Condition } from '../policy/condition.ts';
import type { QuestionId } from '../policy/questions.ts';

/** What a line of the request log says. No credentials are in it. */
export interface RequestLogEntry {
  /** When the request had come, in milliseconds since 1970. */
  readonly time: number;
  readonly method: string;
  /** As it was sent, except that the value of an API key in the query is `***`. */
  readonly target: string;
  readonly status: number;
  /** The id of the operation, where the request led to one. */
  readonly operation?: string | undefined;
  /** Why the request was refused. */
  readonly condition?: Condition | undefined;
  /** What decided an answer that the document does not declare. */
  readonly undeclared?: QuestionId | Condition | undefined;
  /** What the error body says. */
  readonly message?: string | undefined;
  /** From the head of the request to the answer, in milliseconds. */
  readonly durationMs: number;
}
