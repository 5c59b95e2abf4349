import { describeReceived, nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';

/** Finds a status that is none: below 100 or above 599 (RFC 9110 §15). */
export const checkStatusRange: ExchangeCheck = (subject) => {
  const { answer } = subject;
  if (answer.kind === 'none' || (answer.response.status >= 100 && answer.response.status <= 599)) {
    return undefined;
  }
  return {
    check: 'status-range',
    level: 'violation',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 9110',
      section: '15',
      quote: 'Values outside the range 100..599 are invalid',
    },
    expected: 'a status from 100 to 599',
    received: describeReceived(answer),
    cause: String(answer.response.status),
  };
};
