import { errorCode } from './error-code.ts';
import { readHttpResponse } from './read-http-response.ts';

/**
 * Says in words how a connection ended before its answer was whole.
 *
 * @param drop - the error, if there was one; the bytes that had come; the method that they answer
 */
export function describeDrop(drop: {
  readonly error: unknown;
  readonly received: Uint8Array;
  readonly method: string;
}): string {
  const { error, received, method } = drop;
  const code = errorCode(error);
  const end = code === 'ECONNRESET' || code === 'EPIPE' ? 'reset' : 'closed';
  if (received.length === 0) {
    return `the connection was ${end} before an answer came`;
  }
  const reading = readHttpResponse({ bytes: received, method, ended: false });
  const missing = reading.kind === 'incomplete' ? reading.missing : 'a part of it';
  return `the connection was ${end} in the middle of the answer: ${missing} did not come`;
}
