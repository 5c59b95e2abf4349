import { nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';

/**
 * Finds content where HTTP allows none: in an answer to HEAD, and with 204 and 304 (RFC 9110 §6.4.1).
 */
export const checkBodilessStatus: ExchangeCheck = (subject) => {
  const { answer, exchange } = subject;
  if (answer.kind === 'none' || answer.response.body.length === 0) {
    return undefined;
  }
  const { status } = answer.response;
  const isHead = exchange.request.method === 'HEAD';
  if (!isHead && status !== 204 && status !== 304) {
    return undefined;
  }
  return {
    check: 'bodiless-status',
    level: 'violation',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 9110',
      section: '6.4.1',
      quote:
        'Responses to the HEAD request method never include content; all 1xx, 204 and 304 responses do not include content',
    },
    expected: 'no content',
    received: `${answer.response.body.length} bytes of content with ${isHead ? 'an answer to HEAD' : status}`,
    cause: isHead ? 'HEAD' : String(status),
  };
};
