import type { Answer } from './answer.ts';
import type { HttpRequest } from './http-request.ts';

/** A request and what came of it. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly answer: Answer;
  /** From the first byte sent to the last byte received, in milliseconds. */
  readonly durationMs: number;
}
