import type { Condition } from '../policy/condition.ts';
import type { LoggedRequest, RequestProblem, Undeclared } from './log/logged-request.ts';
import type { ConnectionFault } from './steps/connection-fault.ts';

/** What a line of the request log says. No credentials are in it. */
export interface RequestLogEntry {
  /** The same as in the request log. */
  readonly id: number;
  /** When the request had come, in milliseconds since 1970. */
  readonly time: number;
  /** `-` where no request could be read. */
  readonly method: string;
  /** As it was sent, except that the value of an API key in the query is `***`; `-` where no request could be read. */
  readonly target: string;
  readonly status: number;
  /** The id of the operation, where the request led to one. */
  readonly operation?: string | undefined;
  readonly verdict: LoggedRequest['verdict'];
  /** Why the request was refused. */
  readonly condition?: Condition | ConnectionFault | undefined;
  /** What decided an answer that the document does not declare. */
  readonly undeclared?: Undeclared | undefined;
  /** What the error body says. */
  readonly message?: string | undefined;
  /** The id of the rule that made it go wrong. */
  readonly fault?: string | undefined;
  /** What of the request speaks against it, made when it is asked for. */
  readonly problems?: (() => readonly RequestProblem[]) | undefined;
  /** From the head of the request to the answer, in milliseconds. */
  readonly durationMs: number;
}
