import { headerValue } from '../http/header-list.ts';
import { nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';

/** Finds a 405 without Allow (RFC 9110 §15.5.6); only advice. */
export const checkAllow: ExchangeCheck = (subject) => {
  const { answer } = subject;
  if (answer.kind === 'none' || answer.response.status !== 405) {
    return undefined;
  }
  if (headerValue(answer.response.headers, 'allow') !== undefined) {
    return undefined;
  }
  return {
    check: 'allow',
    level: 'advice',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 9110',
      section: '15.5.6',
      quote: 'The origin server MUST generate an Allow header field in a 405 response',
    },
    expected: '405 with Allow',
    received: '405 without Allow',
    cause: '405',
  };
};
