import { nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';

/**
 * Advises on content that is longer than is read, and may have no end. No document says how long an answer may be, so
 * that it contradicts none; but what was not read was not judged either, and no client can take all of it.
 *
 * @example a log that is streamed for as long as somebody listens
 */
export const checkResponseSize: ExchangeCheck = (subject) => {
  const { answer } = subject;
  if (answer.kind === 'none' || answer.response.cutAfter === undefined) {
    return undefined;
  }
  return {
    check: 'response-size',
    level: 'advice',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 9110',
      section: '2.3',
      quote:
        'A recipient SHOULD parse a received protocol element defensively, with only marginal expectations that the element will … fit within a reasonable buffer size',
    },
    expected: `content of at most ${answer.response.cutAfter.toLocaleString('en-US')} bytes, which --response-limit sets`,
    received: `${answer.response.status} with more; its content was not judged`,
    cause: 'longer than is read',
  };
};
