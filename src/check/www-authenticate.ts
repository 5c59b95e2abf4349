import { headerValue } from '../http/header-list.ts';
import { nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';

/** Finds a 401 without WWW-Authenticate (RFC 9110 §11.6.1); only advice. */
export const checkWwwAuthenticate: ExchangeCheck = (subject) => {
  const { answer } = subject;
  if (answer.kind === 'none' || answer.response.status !== 401) {
    return undefined;
  }
  if (headerValue(answer.response.headers, 'www-authenticate') !== undefined) {
    return undefined;
  }
  return {
    check: 'www-authenticate',
    level: 'advice',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 9110',
      section: '11.6.1',
      quote: 'A server generating a 401 (Unauthorized) response MUST send a WWW-Authenticate header field',
    },
    expected: '401 with WWW-Authenticate',
    received: '401 without WWW-Authenticate',
    cause: '401',
  };
};
