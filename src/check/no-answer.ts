import { describeReceived, describeRequest, nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';

const checks = {
  'timed-out': 'timed-out',
  dropped: 'connection-dropped',
  'not-http': 'not-http',
} as const;

/**
 * Finds a request that is never answered, a connection that breaks off, and bytes that are not HTTP. A
 * connection closed while a body longer than any plain one is still being sent is let pass.
 *
 * @example a hang when the JSON of a body is cut short
 */
export const checkNoAnswer: ExchangeCheck = (subject, context) => {
  const { answer, request } = subject;
  if (answer.kind !== 'none' || answer.answer.kind === 'unreachable') {
    return undefined;
  }
  if (answer.answer.kind === 'dropped' && request.bodyBytes > Math.max(context.longestPlainBody, 1_024)) {
    return undefined;
  }
  return {
    check: checks[answer.answer.kind],
    level: 'violation',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 9110',
      section: '3.4',
      quote: 'A server … responds to each request with one or more response messages',
    },
    expected: `an answer to ${describeRequest(request)}`,
    received: describeReceived(answer),
    cause: `for ${describeRequest(request)}`,
  };
};
