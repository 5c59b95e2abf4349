import type { Contract } from '../../contract/contract.ts';
import type { MockAnswer } from '../steps/mock-answer.ts';
import type { RequestContent } from '../steps/request-head.ts';

/** What the requests under one contract are read by. */
export interface LogContext {
  readonly contract: Contract;
  /** What must not be shown wherever it stands. */
  readonly tokens: readonly string[];
}

/**
 * A request as it is kept: what there was anyway, so that a request costs next to nothing. Whoever reads the log pays for
 * what it shows.
 */
export interface RawRequest {
  /** 0 until the log has given it one. */
  id: number;
  readonly time: number;
  readonly durationMs: number;
  /** `-` where no request could be read. */
  readonly method: string;
  readonly target: string;
  /** Names and values in turn. */
  readonly fields: readonly string[];
  /** `not-read` where the head decided the answer, and it did not come along. */
  readonly content: RequestContent | 'not-read';
  readonly answer: MockAnswer;
  /** How many bytes there were of what is larger than the log, so that it was left out. */
  readonly leftOut: { readonly request?: number; readonly response?: number } | undefined;
  readonly context: LogContext;
}
