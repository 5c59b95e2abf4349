import type { Interference } from '../faults/interference.ts';
import type { Mounted } from '../control/mounted.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { ConnectionFault } from './connection-fault.ts';
import type { MockAnswer } from './mock-answer.ts';
import type { PreparedOperation } from './prepared-operation.ts';
import type { RequestContent, RequestHead } from './request-head.ts';

/** A request that waits for its content. */
export interface Admitted {
  readonly kind: 'admitted';
  readonly head: RequestHead;
  /** The path of its target, without the prefix of a server. */
  readonly path: string;
  readonly operation: PreparedOperation;
  /** The values of the path's parameters, as they were sent. */
  readonly parameters: Readonly<Record<string, string>>;
  /** When its head had come, in milliseconds of the timer that the responder was given. */
  readonly begun: number;
  /** What comes between it and its answer; undefined where nothing does. */
  readonly interference: Interference | undefined;
}

/** A request whose head decided the answer: it is forced, or a refusal. */
export interface Answered {
  readonly kind: 'answered';
  readonly head: RequestHead;
  readonly answer: MockAnswer;
  /** As that of {@link Admitted}. */
  readonly begun: number;
}

/** What the head of a request comes to. */
export type Admission = Admitted | Answered;

/** What of a connection cannot be admitted as a request. */
export interface Rejection {
  readonly fault: ConnectionFault;
  /** More about it, without a secret and without a stop at its end. */
  readonly detail?: string | undefined;
  /** As far as it could be read. */
  readonly head?: RequestHead;
}

/** The steps of an answer. */
export interface Responder {
  /** The most bytes of content that any operation takes. */
  readonly contentLimit: number;
  /** What answers the requests under one path instead; the transports look for it. */
  readonly mounted?: Mounted | undefined;
  /**
   * Takes a request in by its head: preflight, route, rate limit, credentials. It is called once for a
   * request, and {@link Responder.respond} or {@link Responder.conclude} once after it.
   */
  admit(head: RequestHead): Admission;
  /** Answers an admitted request when its content is there. Without a promise where nothing is waited for. */
  respond(admitted: Admitted, content: RequestContent): MaybePromise<MockAnswer>;
  /**
   * Gives the answer that the head decided, before it is written.
   *
   * @param content - whoever reads the log wants to see it; `not-read` where it is not waited for
   */
  conclude(answered: Answered, content: RequestContent | 'not-read'): MockAnswer;
  /** Answers what cannot be admitted at all. */
  refuse(rejection: Rejection): MockAnswer;
}
