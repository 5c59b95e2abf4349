import { headerValue } from '../../http/message.ts';
import { describeReceived, describeRequest, describeTrigger, nameOperation } from '../describe.ts';
import { findBrokenPart, findExcess, isExcusedDrop } from '../reading/framing.ts';
import type { ExchangeCheck } from '../reading/subject.ts';

/**
 * Finds content where HTTP allows none: in an answer to HEAD, and with 204 and 304 (RFC 9110 §9.3.2, §15.3.5,
 * §15.4.5). Over a connection only a send over a raw socket sees it.
 */
export const checkBodilessStatus: ExchangeCheck = (subject) => {
  const { answer, exchange } = subject;
  if (answer.kind === 'none') return undefined;
  const excess = findExcess(subject);
  const { status, body } = answer.response;
  const length = excess?.kind === 'content' ? excess.length : body.length;
  const isHead = exchange.request.method === 'HEAD';
  if (length === 0 || (!isHead && status !== 204 && status !== 304)) return undefined;
  return {
    check: 'bodiless-status',
    level: 'violation',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 9110',
      section: isHead ? '9.3.2' : status === 204 ? '15.3.5' : '15.4.5',
      quote: isHead
        ? 'The HEAD method is identical to GET except that the server MUST NOT send content in the response'
        : `A ${status} response is terminated by the end of the header section; it cannot contain content or trailers`,
    },
    expected: 'no content',
    received: `${length} bytes of content with ${isHead ? 'an answer to HEAD' : status}`,
    cause: isHead ? 'HEAD' : String(status),
  };
};

/**
 * Finds a second answer to one request, and bytes after the last chunk of an answer: what comes next on the
 * connection is then taken for something that it is not. Only a send over a raw socket sees them.
 *
 * @example a body that was refused unread, and is then answered as if it were a request
 */
export const checkBytesAfterAnswer: ExchangeCheck = (subject) => {
  const excess = findExcess(subject);
  if (excess?.kind !== 'answer' && excess?.kind !== 'after-chunks') return undefined;
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

/**
 * Finds content in chunks whose sizes are wrong, or whose last chunk never comes (RFC 9112 §7.1, §8).
 *
 * @example `Transfer-Encoding: chunked` before content that is not in chunks
 */
export const checkChunkedContent: ExchangeCheck = (subject, context) => {
  const broken = findBrokenPart(subject, context);
  if (broken?.part !== 'chunks') return undefined;
  return {
    check: 'chunked-content',
    level: 'violation',
    operation: nameOperation(subject),
    clause: broken.isCutShort
      ? {
          kind: 'rfc',
          name: 'RFC 9112',
          section: '8',
          quote:
            'A message body that uses the chunked transfer coding is incomplete if the zero-sized chunk that terminates the encoding has not been received',
        }
      : {
          kind: 'rfc',
          name: 'RFC 9112',
          section: '7.1',
          quote:
            'The chunked transfer coding wraps content in order to transfer it as a series of chunks, each with its own size indicator',
        },
    expected: broken.isCutShort ? 'a last chunk, of no size' : 'a series of chunks',
    received: broken.reason,
    cause: broken.isCutShort ? 'cut short' : 'malformed',
  };
};

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
  if (broken?.part !== 'content-length') return undefined;
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
  if (untruth === undefined) return undefined;
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
  if (answer.kind !== 'none' || answer.answer.kind === 'unreachable') return undefined;
  const part = findBrokenPart(subject, context)?.part;
  if (isExcusedDrop(subject, context) || part === 'content-length' || part === 'chunks') return undefined;
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

/**
 * Advises on Content-Length beside Transfer-Encoding (RFC 9112 §6.2): which of them a reader goes by is what
 * smuggled answers live on, though RFC 9112 §6.3 says it.
 */
export const checkTransferEncoding: ExchangeCheck = (subject) => {
  const { answer } = subject;
  if (answer.kind === 'none') return undefined;
  const { headers } = answer.response;
  const fields = ['transfer-encoding', 'content-length'];
  if (fields.some((name) => headerValue(headers, name) === undefined)) return undefined;
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
