import { nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';
import { findExcess } from './find-excess.ts';

/**
 * Finds content where HTTP allows none: in an answer to HEAD, and with 204 and 304 (RFC 9110 §9.3.2, §15.3.5,
 * §15.4.5). Over a connection only a send over a raw socket sees it.
 */
export const checkBodilessStatus: ExchangeCheck = (subject) => {
  const { answer, exchange } = subject;
  if (answer.kind === 'none') {
    return undefined;
  }
  const excess = findExcess(subject);
  const { status, body } = answer.response;
  const length = excess?.kind === 'content' ? excess.length : body.length;
  const isHead = exchange.request.method === 'HEAD';
  if (length === 0 || (!isHead && status !== 204 && status !== 304)) {
    return undefined;
  }
  return {
    check: 'bodiless-status',
    level: 'violation',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 9110',
      section: isHead ? '9.3.2' : status === 204 ? '15.3.5' : '15.4.5',
      quote: isHead
        ? 'The HEAD method is identical to GET except that the server MUST NOT send content in the response'
        : `A ${status} response is terminated by the end of the header section; it cannot contain content or trailers`,
    },
    expected: 'no content',
    received: `${length} bytes of content with ${isHead ? 'an answer to HEAD' : status}`,
    cause: isHead ? 'HEAD' : String(status),
  };
};
