import type { ContentReading } from '../content/content-reading.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { MockAnswer } from '../steps/mock-answer.ts';
import type { RequestHead } from '../steps/request-head.ts';

/** A request that nothing speaks against. */
export interface ValidRequest {
  readonly head: RequestHead;
  /** The path of its target, without the prefix of a server. */
  readonly path: string;
  /** The values of the path's parameters, as they were sent. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly content: Exclude<ContentReading, { kind: 'refused' }>;
}

/** Does what an operation is for, and answers. */
export type Act = (request: ValidRequest) => MaybePromise<MockAnswer>;
