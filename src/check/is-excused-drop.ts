import type { CheckContext } from './check-context.ts';
import type { Subject } from './exchange-check.ts';

/**
 * Whether a connection was closed while a body longer than any plain one was still being sent: a service may
 * refuse to read on, and what it answers then is easily lost.
 */
export function isExcusedDrop({ exchange, request }: Subject, context: CheckContext): boolean {
  return exchange.answer.kind === 'dropped' && request.bodyBytes > Math.max(context.longestPlainBody, 1_024);
}
