import { describeReceived, describeRequest, describeTrigger, nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';

/**
 * Finds a 5xx: whatever is sent, a service that fails has broken its contract, unless the document declares
 * that very status. 501 is an honest answer to a method that is not declared (RFC 9110 §15.6.2).
 *
 * @example `500 text/html` for a name with a character past ASCII
 */
export const checkServerError: ExchangeCheck = (subject) => {
  const { answer, operation, request } = subject;
  if (answer.kind === 'none' || answer.response.status < 500 || answer.response.status > 599) {
    return undefined;
  }
  const { status } = answer.response;
  const declared = operation?.responses.some(
    (response) => response.status.kind === 'exact' && response.status.status === status,
  );
  if (declared === true || (operation === undefined && status === 501)) {
    return undefined;
  }
  return {
    check: 'server-error',
    level: 'violation',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 9110',
      section: '15.6',
      quote:
        'The 5xx (Server Error) class of status code indicates that the server is aware that it has erred',
    },
    expected: `an answer other than a server error to ${describeRequest(request)}`,
    received: describeReceived(answer),
    cause: String(status),
    ...describeTrigger(request),
  };
};
