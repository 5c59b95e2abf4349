import { describeReceived, describeRequest, describeTrigger, nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';
import { findBrokenPart } from './find-broken-part.ts';
import { isExcusedDrop } from './is-excused-drop.ts';

const checks = {
  'timed-out': 'timed-out',
  dropped: 'connection-dropped',
  'not-http': 'not-http',
} as const;

/**
 * Finds a request that is never answered, a connection that breaks off, and bytes that are not HTTP. A
 * connection closed while a body longer than any plain one is still being sent is let pass, and an answer
 * whose length or chunks are broken has checks of its own.
 *
 * @example a hang when the JSON of a body is cut short
 */
export const checkNoAnswer: ExchangeCheck = (subject, context) => {
  const { answer, request } = subject;
  if (answer.kind !== 'none' || answer.answer.kind === 'unreachable') {
    return undefined;
  }
  const part = findBrokenPart(subject, context)?.part;
  if (isExcusedDrop(subject, context) || part === 'content-length' || part === 'chunks') {
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
    cause: answer.answer.kind,
    ...describeTrigger(request),
  };
};
