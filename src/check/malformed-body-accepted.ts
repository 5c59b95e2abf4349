import { describeReceived, nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';
import { classifyStatus } from './status-class.ts';

/**
 * Finds a body that is sent as JSON, is none, and is taken all the same. Where it reads as a valid body
 * under a known extension of JSON, that is advice: a parser may accept extensions (RFC 8259 §9).
 *
 * @example 200 for a body whose last bracket is missing
 */
export const checkMalformedBodyAccepted: ExchangeCheck = (subject) => {
  const { answer, request } = subject;
  if (request.body.kind !== 'malformed' || classifyStatus(answer) !== 'accepted') {
    return undefined;
  }
  const { extension, reason } = request.body.explain();
  return {
    check: 'malformed-body-accepted',
    level: extension === undefined ? 'violation' : 'advice',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 8259',
      section: extension === undefined ? '2' : '9',
      quote:
        extension === undefined
          ? 'A JSON text is a serialized value'
          : 'A JSON parser MUST accept all texts that conform to the JSON grammar. A JSON parser MAY accept non-JSON forms or extensions',
    },
    expected: 'a refusal',
    received: `${describeReceived(answer)} for a body that is not JSON (${extension ?? reason})`,
    cause: extension === undefined ? 'not JSON' : `extension: ${extension}`,
  };
};
