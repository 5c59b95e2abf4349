import type { Answer } from './answer.ts';
import type { HttpRequest } from './http-request.ts';

/**
 * How the content of a request is framed on the wire: in one piece with its length, in chunks
 * (RFC 9112 §7.1), or with its length but over several packets.
 */
export type Framing = 'content-length' | 'chunked' | 'several-packets';

/** What a request is sent with, besides itself. */
export interface SendOptions {
  /** Ends the wait; the answer is then `timed-out`. */
  readonly signal?: AbortSignal;
  /** @defaultValue 'content-length' */
  readonly framing?: Framing;
}

/**
 * Sends one request and says what came of it. The in-process mock is one, a real base URL another.
 *
 * It never rejects for what the network or the service does, and never follows a redirect.
 */
export type Send = (request: HttpRequest, options?: SendOptions) => Promise<Answer>;
