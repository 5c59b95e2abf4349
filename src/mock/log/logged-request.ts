import type { TextLocation } from '../../document/located-problem.ts';
import type { Condition } from '../../policy/condition.ts';
import type { QuestionId } from '../../policy/question-id.ts';
import type { ConnectionFault } from '../steps/connection-fault.ts';

/** A part of a request that speaks against it. */
export interface RequestProblem {
  /** A JSON Pointer into the body (RFC 6901); undefined where it lies elsewhere. */
  readonly pointer?: string | undefined;
  /** The parameter or header field that it is about. */
  readonly parameter?:
    | { readonly in: 'path' | 'query' | 'header' | 'cookie'; readonly name: string }
    | undefined;
  /** Where a body that is no JSON breaks, in characters from 0. */
  readonly position?: number | undefined;
  /** What is wrong with it, in words. */
  readonly reason: string;
  /** What it breaks. */
  readonly clause?: BrokenClause | undefined;
}

/** What the document or the policy says. */
export interface BrokenClause {
  readonly in: 'document' | 'policy';
  /** A JSON Pointer into the one or the other. */
  readonly pointer: string;
  /** What stands there: `required: [id, name]`. */
  readonly text: string;
  /** Where in the text of the document that is; a list of requests leaves it out. */
  readonly location?: TextLocation | undefined;
}

/** A request that the mock answered. No credentials are in it. */
export interface LoggedRequest {
  /** 1 for the first that was answered since the mock started; none comes again. */
  readonly id: number;
  /** When it had come, by the clock of the mock, in milliseconds since 1970. */
  readonly time: number;
  /** From its head to the answer, in milliseconds, a delay of a fault included, which may not be over yet. */
  readonly durationMs: number;
  readonly method: string;
  /** As it was sent: path and query. */
  readonly target: string;
  /** The id of the operation, where it led to one. */
  readonly operation?: string | undefined;
  readonly status: number;
  /** `forced` where a fault or a preference of the request decided the answer. */
  readonly verdict: 'accepted' | 'refused' | 'forced';
  /** Why it was refused. */
  readonly condition?: Condition | ConnectionFault | undefined;
  /** What decided an answer that the document does not declare. */
  readonly undeclared?: string | undefined;
  /** What was wrong, or what decided the answer, as a sentence. */
  readonly message?: string | undefined;
  readonly problems: readonly RequestProblem[];
  /** The id of the rule that made it go wrong. */
  readonly fault?: string | undefined;
  readonly request: LoggedMessage;
  readonly response: LoggedMessage;
  /** The request again, as a command line; `$CLOCHE_TOKEN` stands for credentials. */
  readonly curl: string;
}

/** The fields and the content of a request or a response. */
export interface LoggedMessage {
  /** In order, as they were sent; `***` stands for credentials. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The content as text; undefined where there is none, or it is no UTF-8. */
  readonly body?: string | undefined;
  /** How many bytes the content has; of what was not read, how many were announced. */
  readonly bytes: number;
  /**
   * Why the content is not here: the head decided the answer and it did not come along, or there is more than is read,
   * or more than the log can hold.
   */
  readonly missing?: 'not-read' | 'too-large' | 'not-kept' | undefined;
}

/** What decided an answer that the document does not declare. */
export type Undeclared = QuestionId | Condition | ConnectionFault | 'forced';
