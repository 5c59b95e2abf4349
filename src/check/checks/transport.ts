import type { Operation } from '../../contract/contract.ts';
import { findSuccessResponse } from '../../contract/responses.ts';
import { isStreamMediaType } from '../../http/codecs/registry.ts';
import { essenceOf } from '../../http/media-type.ts';
import { headerValue } from '../../http/message.ts';
import { readHttpResponse, type ResponsePart } from '../../http/parse-response.ts';
import { type Check, defineCheck, exampleOf, plainExample } from '../define-check.ts';
import { describeReceived, describeRequest, describeTrigger } from '../describe.ts';
import { type CheckId, quoteRfc } from '../finding.ts';
import type { CheckContext, CheckInput } from '../classify/subject.ts';

// Checks that a response came and that its framing is right. Bytes after its end are visible on a raw socket only.

function declaresStream(operation: Operation): boolean {
  const { media = [] } = findSuccessResponse(operation) ?? {};
  return media.some(({ range }) => isStreamMediaType(essenceOf(range)));
}

/** Defines a check that reports a missing response for one cause. */
function defineDocumentAnswer<Id extends CheckId>(
  kind: 'timed-out' | 'dropped' | 'not-http',
  { id, docs }: Pick<Check<Id>, 'id' | 'docs'>,
): Check<Id> {
  return defineCheck({
    id,
    levels: ['violation'],
    docs,
    judge(subject, context) {
      const { answer, request } = subject;
      if (answer.kind !== 'none' || answer.answer.kind !== kind || isExcusedDrop(subject, context)) {
        return undefined;
      }
      // A stream may send nothing before its first event, not even its head.
      if (kind === 'timed-out' && subject.operation !== undefined && declaresStream(subject.operation)) {
        return undefined;
      }
      // Other checks report a response with broken length or chunks.
      const part = findBrokenPart(subject, context)?.part;
      if (part === 'content-length' || part === 'chunks') return undefined;
      return {
        clause: quoteRfc(
          'RFC 9110 §3.4',
          'A server … responds to each request with one or more response messages',
        ),
        expected: `an answer to ${describeRequest(request)}`,
        received: describeReceived(answer),
        cause: kind,
        ...describeTrigger(request),
      };
    },
  });
}

/** The check `timed-out`. */
export const timedOutCheck: Check<'timed-out'> = defineDocumentAnswer('timed-out', {
  id: 'timed-out',
  docs: {
    title: 'A request got no response',
    place: 'RFC 9110 §3.4',
    finds: 'No response within `--timeout`. A stream is excluded: its head and first events are checked.',
    example: { request: exampleOf('{"id": 7'), answer: '(nothing)' },
  },
});

/** The check `connection-dropped`. */
export const connectionDroppedCheck: Check<'connection-dropped'> = defineDocumentAnswer('dropped', {
  id: 'connection-dropped',
  docs: {
    title: 'The connection was closed without a response',
    place: 'RFC 9110 §3.4',
    finds:
      'The connection closes before a response. It may close while a very long body is still being sent.',
    example: { request: exampleOf('{"id": 7'), answer: '(the connection is closed)' },
  },
});

/** The check `not-http`. */
export const notHttpCheck: Check<'not-http'> = defineDocumentAnswer('not-http', {
  id: 'not-http',
  docs: {
    title: 'A response was not HTTP',
    place: 'RFC 9110 §3.4',
    finds: 'Bytes that are not an HTTP message, in place of a response.',
    example: { request: plainExample, answer: 'Error: cannot read properties of undefined' },
  },
});

/** The check `content-length`. */
export const contentLengthCheck: Check<'content-length'> = defineCheck({
  id: 'content-length',
  docs: {
    title: 'A Content-Length was wrong',
    place: 'RFC 9110 §8.6, RFC 9112 §6.3 and §8',
    finds:
      'A Content-Length that is shorter or longer than the content, or not a number. Shorter ones are visible on a raw socket only, so not in process.',
    example: {
      request: plainExample,
      answer: 'HTTP/1.1 200 OK\nContent-Length: 2\n\n{"id": 7, "note": "two"}',
    },
  },
  judge(subject, context) {
    const { answer } = subject;
    const excess = findExcess(subject);
    if (answer.kind === 'response' && excess?.kind === 'after-length') {
      const length = headerValue(answer.response.headers, 'content-length') ?? '';
      return {
        clause: quoteRfc(
          'RFC 9110 §8.6',
          'When transferring a representation as content, Content-Length refers specifically to the amount of data enclosed',
        ),
        expected: `${length} bytes of content, as Content-Length says`,
        received: `${excess.length} more after them`,
        cause: 'too short',
      };
    }
    const broken = findBrokenPart(subject, context);
    if (broken?.part !== 'content-length') return undefined;
    if (broken.isCutShort) {
      return {
        clause: quoteRfc(
          'RFC 9112 §8',
          'A message that uses a valid Content-Length is incomplete if the size of the message body received (in octets) is less than the value given by Content-Length',
        ),
        expected: 'as many bytes of content as Content-Length says',
        received: broken.reason,
        cause: 'too long',
      };
    }
    return {
      clause: quoteRfc(
        'RFC 9112 §6.3',
        'If a message is received without Transfer-Encoding and with an invalid Content-Length header field, then the message framing is invalid',
      ),
      expected: 'one length',
      received: broken.reason,
      cause: 'invalid',
    };
  },
});

/** The check `chunked-content`. */
export const chunkedContentCheck: Check<'chunked-content'> = defineCheck({
  id: 'chunked-content',
  docs: {
    title: 'Chunked content was broken',
    place: 'RFC 9112 §7.1 and §8',
    finds: 'Chunked content with wrong chunk sizes, or without a last chunk.',
    example: { request: plainExample, answer: 'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n{"id": 7}' },
  },
  judge(subject, context) {
    const broken = findBrokenPart(subject, context);
    if (broken?.part !== 'chunks') return undefined;
    return broken.isCutShort
      ? {
          clause: quoteRfc(
            'RFC 9112 §8',
            'A message body that uses the chunked transfer coding is incomplete if the zero-sized chunk that terminates the encoding has not been received',
          ),
          expected: 'a last chunk, of no size',
          received: broken.reason,
          cause: 'cut short',
        }
      : {
          clause: quoteRfc(
            'RFC 9112 §7.1',
            'The chunked transfer coding wraps content in order to transfer it as a series of chunks, each with its own size indicator',
          ),
          expected: 'a series of chunks',
          received: broken.reason,
          cause: 'malformed',
        };
  },
});

/** Response smuggling relies on readers that choose different fields, though RFC 9112 §6.3 specifies it. */
export const transferEncodingCheck: Check<'transfer-encoding'> = defineCheck({
  id: 'transfer-encoding',
  levels: ['warning'],
  docs: {
    title: 'Content-Length was sent with Transfer-Encoding',
    place: 'RFC 9112 §6.2',
    finds:
      'Content-Length together with Transfer-Encoding: two readers may end the response at different places.',
    example: {
      request: plainExample,
      answer: 'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nContent-Length: 24',
    },
  },
  judge({ answer }) {
    if (answer.kind === 'none') return undefined;
    const { headers } = answer.response;
    const fields = ['transfer-encoding', 'content-length'];
    if (fields.some((name) => headerValue(headers, name) === undefined)) return undefined;
    return {
      clause: quoteRfc(
        'RFC 9112 §6.2',
        'A sender MUST NOT send a Content-Length header field in any message that contains a Transfer-Encoding header field',
      ),
      expected: 'one of the two fields',
      received: 'both',
      cause: 'both',
    };
  },
});

/** The check `bytes-after-answer`. */
export const bytesAfterAnswerCheck: Check<'bytes-after-answer'> = defineCheck({
  id: 'bytes-after-answer',
  docs: {
    title: 'Bytes came after the end of a response',
    place: 'RFC 9110 §15, RFC 9112 §9.2',
    finds:
      'A second response to one request, or bytes after the last chunk: the next request on the connection receives them. Visible on a raw socket only.',
    example: {
      request: plainExample,
      answer: 'HTTP/1.1 400 Bad Request\nContent-Length: 0\n\nHTTP/1.1 200 OK\nContent-Length: 0',
    },
  },
  judge(subject) {
    const excess = findExcess(subject);
    if (excess?.kind === 'answer') {
      return {
        clause: quoteRfc(
          'RFC 9110 §15',
          'A single request can have multiple associated responses: zero or more "interim" (non-final) responses with status codes in the "informational" (1xx) range, followed by exactly one "final" response',
        ),
        expected: 'one answer',
        received: 'a second answer after it',
        cause: 'a second answer',
      };
    }
    if (excess?.kind !== 'after-chunks') return undefined;
    return {
      clause: quoteRfc(
        'RFC 9112 §9.2',
        "If a client receives data on a connection that doesn't have outstanding requests, the client MUST NOT consider that data to be a valid response",
      ),
      expected: 'nothing after the last chunk',
      received: `${excess.length} bytes after the last chunk`,
      cause: 'after the last chunk',
    };
  },
});

/** The check `bodiless-status`. */
export const bodilessStatusCheck: Check<'bodiless-status'> = defineCheck({
  id: 'bodiless-status',
  docs: {
    title: 'Content was sent where HTTP allows none',
    place: 'RFC 9110 §9.3.2, §15.3.5 and §15.4.5',
    finds: 'Content in a response to HEAD, or with 204 or 304.',
    example: { request: 'HEAD /orders', answer: 'HTTP/1.1 200 OK\nContent-Length: 2\n\n[]' },
  },
  judge(subject) {
    const { answer, exchange } = subject;
    if (answer.kind === 'none') return undefined;
    const { status, body } = answer.response;
    const isHead = exchange.request.method === 'HEAD';
    if (!isHead && status !== 204 && status !== 304) return undefined;
    const excess = findExcess(subject);
    const length = excess?.kind === 'content' ? excess.length : body.length;
    if (length === 0) return undefined;
    return {
      clause: isHead
        ? quoteRfc(
            'RFC 9110 §9.3.2',
            'The HEAD method is identical to GET except that the server MUST NOT send content in the response',
          )
        : quoteRfc(
            status === 204 ? 'RFC 9110 §15.3.5' : 'RFC 9110 §15.4.5',
            `A ${status} response is terminated by the end of the header section; it cannot contain content or trailers`,
          ),
      expected: 'no content',
      received: `${length} bytes of content with ${isHead ? 'an answer to HEAD' : status}`,
      cause: isHead ? 'HEAD' : String(status),
    };
  },
});

/**
 * Returns whether the service may have had a reason to close the connection. It may reject a body longer than any plain
 * one, and its response is easily lost. Without HTTP/1.1 (RFC 9112 §6.1), it reads chunks as requests.
 */
function isExcusedDrop({ exchange, request }: CheckInput, context: CheckContext): boolean {
  return (
    exchange.answer.kind === 'dropped' &&
    (request.framing === 'chunked' || request.bodyBytes > Math.max(context.longestPlainBody, 1_024))
  );
}

/** The fault of a response that began but did not complete: the connection closed, or the response is malformed. */
interface BrokenPart {
  readonly part: ResponsePart;
  readonly isCutShort: boolean;
  readonly reason: string;
}

/** Parses the received bytes again. After a timeout it returns undefined, as more bytes might have come. */
function findBrokenPart(subject: CheckInput, context: CheckContext): BrokenPart | undefined {
  const { answer, request } = subject.exchange;
  const isCutShort = answer.kind === 'dropped';
  if ((answer.kind !== 'not-http' && !isCutShort) || isExcusedDrop(subject, context)) return undefined;
  const { received } = answer;
  const reading = readHttpResponse({ bytes: received, method: request.method, ended: false });
  if (received.length === 0 || reading.kind === 'response') return undefined;
  if (reading.kind === 'incomplete') {
    return isCutShort ? { part: reading.part, isCutShort, reason: answer.reason } : undefined;
  }
  return { part: reading.part, isCutShort: false, reason: reading.reason };
}

/** The bytes after the end of a response: content that is not allowed, a second response, or more bytes. */
interface Excess {
  readonly kind: 'content' | 'answer' | 'after-length' | 'after-chunks';
  readonly length: number;
}

/** A service may send 408 after it waited for a further request (RFC 9110 §15.5.9). */
const waitedInVain = /^HTTP\/\d\.\d 408(?:\D|$)/u;

/** Finds bytes after a response on a raw socket. Empty lines (RFC 9112 §9.2) and bytes after a 101 are fine. */
function findExcess({ exchange: { request, answer } }: CheckInput): Excess | undefined {
  if (answer.kind !== 'response' || answer.trailing === undefined) return undefined;
  const { status, headers } = answer.response;
  const text = new TextDecoder('latin1').decode(answer.trailing).replace(/^[\r\n]+/u, '');
  if (text === '' || status === 101 || request.method === 'CONNECT' || waitedInVain.test(text)) {
    return undefined;
  }
  const { length } = text;
  if (/^HTTP\/\d/u.test(text)) return { kind: 'answer', length };
  if (request.method === 'HEAD' || status === 204 || status === 304) return { kind: 'content', length };
  const isChunked = headerValue(headers, 'transfer-encoding') !== undefined;
  return { kind: isChunked ? 'after-chunks' : 'after-length', length };
}
