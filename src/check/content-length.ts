import { headerValue } from '../http/header-list.ts';
import { nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';
import { findBrokenPart } from './find-broken-part.ts';
import { findExcess } from './find-excess.ts';

interface Untruth {
  readonly clause: readonly [name: string, section: string, quote: string];
  readonly expected: string;
  readonly received: string;
  readonly cause: string;
}

const tooShort = [
  'RFC 9110',
  '8.6',
  'When transferring a representation as content, Content-Length refers specifically to the amount of data enclosed',
] as const;
const tooLong = [
  'RFC 9112',
  '8',
  'A message that uses a valid Content-Length is incomplete if the size of the message body received (in octets) is less than the value given by Content-Length',
] as const;
const invalid = [
  'RFC 9112',
  '6.3',
  'If a message is received without Transfer-Encoding and with an invalid Content-Length header field, then the message framing is invalid',
] as const;

function findUntruth(...[subject, context]: Parameters<ExchangeCheck>): Untruth | undefined {
  const { answer } = subject;
  const excess = findExcess(subject);
  if (answer.kind === 'response' && excess?.kind === 'after-length') {
    const length = headerValue(answer.response.headers, 'content-length') ?? '';
    return {
      clause: tooShort,
      expected: `${length} bytes of content, as Content-Length says`,
      received: `${excess.length} more after them`,
      cause: 'too short',
    };
  }
  const broken = findBrokenPart(subject, context);
  if (broken?.part !== 'content-length') {
    return undefined;
  }
  return broken.isCutShort
    ? {
        clause: tooLong,
        expected: 'as many bytes of content as Content-Length says',
        received: broken.reason,
        cause: 'too long',
      }
    : { clause: invalid, expected: 'one length', received: broken.reason, cause: 'invalid' };
}

/**
 * Finds a Content-Length that does not say how long the content is: shorter than what comes (which only a
 * send over a raw socket sees), longer than what comes before the connection ends, or no length at all, such
 * as two that differ.
 *
 * @example `Content-Length: 2` before `hello`
 */
export const checkContentLength: ExchangeCheck = (subject, context) => {
  const untruth = findUntruth(subject, context);
  if (untruth === undefined) {
    return undefined;
  }
  const { clause, expected, received, cause } = untruth;
  const [name, section, quote] = clause;
  return {
    check: 'content-length',
    level: 'violation',
    operation: nameOperation(subject),
    clause: { kind: 'rfc', name, section, quote },
    expected,
    received,
    cause,
  };
};
