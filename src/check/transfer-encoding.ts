import { headerValue } from '../http/header-list.ts';
import { nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';

/**
 * Advises on Content-Length beside Transfer-Encoding (RFC 9112 §6.2): which of them a reader goes by is what
 * smuggled answers live on, though RFC 9112 §6.3 says it.
 */
export const checkTransferEncoding: ExchangeCheck = (subject) => {
  const { answer } = subject;
  if (answer.kind === 'none') {
    return undefined;
  }
  const { headers } = answer.response;
  const fields = ['transfer-encoding', 'content-length'];
  if (fields.some((name) => headerValue(headers, name) === undefined)) {
    return undefined;
  }
  return {
    check: 'transfer-encoding',
    level: 'advice',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 9112',
      section: '6.2',
      quote:
        'A sender MUST NOT send a Content-Length header field in any message that contains a Transfer-Encoding header field',
    },
    expected: 'one of the two fields',
    received: 'both',
    cause: 'both',
  };
};
