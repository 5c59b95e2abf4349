import type { Exchange } from '../http/exchange.ts';
import type { Operation } from '../contract/operation.ts';
import type { AnswerReading } from './answer-reading.ts';
import type { Finding } from './finding.ts';
import type { RequestReading } from './request-reading.ts';

/** An exchange, how it was read, and what was found. */
export interface Judged {
  readonly exchange: Exchange;
  /** The operation of the document that the request reached, if there is one. */
  readonly operation: Operation | undefined;
  /** Whether the document has the path of the request, whatever its method. */
  readonly knowsPath: boolean;
  readonly request: RequestReading;
  readonly answer: AnswerReading;
  readonly findings: readonly Finding[];
}
