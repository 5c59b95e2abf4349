import type { CheckContext } from './check-context.ts';
import type { Subject } from './exchange-check.ts';

/**
 * Whether a closed connection may be honest: while a body longer than any plain one was still being sent a
 * service may refuse to read on, and what it answers then is easily lost. The same holds for a body in chunks:
 * nobody knows beforehand whether a service speaks HTTP/1.1 (RFC 9112 §6.1), and one that does not takes the
 * chunks for what comes after the request.
 */
export function isExcusedDrop({ exchange, request }: Subject, context: CheckContext): boolean {
  return (
    exchange.answer.kind === 'dropped' &&
    (request.framing === 'chunked' || request.bodyBytes > Math.max(context.longestPlainBody, 1_024))
  );
}
