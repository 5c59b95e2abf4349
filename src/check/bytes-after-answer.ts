import { nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';
import { findExcess } from './find-excess.ts';

/**
 * Finds a second answer to one request, and bytes after the last chunk of an answer: what comes next on the
 * connection is then taken for something that it is not. Only a send over a raw socket sees them.
 *
 * @example a body that was refused unread, and is then answered as if it were a request
 */
export const checkBytesAfterAnswer: ExchangeCheck = (subject) => {
  const excess = findExcess(subject);
  if (excess?.kind !== 'answer' && excess?.kind !== 'after-chunks') {
    return undefined;
  }
  const isAnswer = excess.kind === 'answer';
  return {
    check: 'bytes-after-answer',
    level: 'violation',
    operation: nameOperation(subject),
    clause: isAnswer
      ? {
          kind: 'rfc',
          name: 'RFC 9110',
          section: '15',
          quote:
            'A single request can have multiple associated responses: zero or more "interim" (non-final) responses with status codes in the "informational" (1xx) range, followed by exactly one "final" response',
        }
      : {
          kind: 'rfc',
          name: 'RFC 9112',
          section: '9.2',
          quote:
            "If a client receives data on a connection that doesn't have outstanding requests, the client MUST NOT consider that data to be a valid response",
        },
    expected: isAnswer ? 'one answer' : 'nothing after the last chunk',
    received: isAnswer ? 'a second answer after it' : `${excess.length} bytes after the last chunk`,
    cause: isAnswer ? 'a second answer' : 'after the last chunk',
  };
};
