import type { Condition } from '../policy/condition.ts';
import type { QuestionId } from '../policy/question-id.ts';
import type { ConnectionFault } from './steps/connection-fault.ts';

/** What a line of the request log says. No credentials are in it. */
export interface RequestLogEntry {
  /** When the request had come, in milliseconds since 1970. */
  readonly time: number;
  /** `-` where no request could be read. */
  readonly method: string;
  /** As it was sent, except that the value of an API key in the query is `***`; `-` where no request could be read. */
  readonly target: string;
  readonly status: number;
  /** The id of the operation, where the request led to one. */
  readonly operation?: string | undefined;
  /** Why the request was refused. */
  readonly condition?: Condition | ConnectionFault | undefined;
  /** What decided an answer that the document does not declare. */
  readonly undeclared?: QuestionId | Condition | ConnectionFault | undefined;
  /** What the error body says. */
  readonly message?: string | undefined;
  /** From the head of the request to the answer, in milliseconds. */
  readonly durationMs: number;
}
