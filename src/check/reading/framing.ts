import { headerValue } from '../../http/message.ts';
import { readHttpResponse, type ResponsePart } from '../../http/parse-response.ts';
import type { CheckContext, Subject } from './subject.ts';

/**
 * Whether a closed connection may be honest: while a body longer than any plain one was still being sent a
 * service may refuse to read on, and what it answers then is easily lost. The same holds for a body in chunks:
 * nobody knows beforehand whether a service speaks HTTP/1.1 (RFC 9112 §6.1), and one that does not takes the
 * chunks for what comes after the request.
 */
export function isExcusedDrop({ exchange, request }: Subject, context: CheckContext): boolean {
  return (
    exchange.answer.kind === 'dropped' &&
    (request.framing === 'chunked' || request.bodyBytes > Math.max(context.longestPlainBody, 1_024))
  );
}

/** What is wrong with an answer that began, and never became one. */
interface BrokenPart {
  readonly part: ResponsePart;
  /** Whether the connection broke off; else what came is malformed. */
  readonly isCutShort: boolean;
  /** In words, from the bytes that came. */
  readonly reason: string;
}

/**
 * Reads again what came of an answer that is none, to say which part of it is broken. One that was still
 * waited for is left out: more of it might have come.
 *
 * @returns undefined where there is an answer, or nothing of one
 */
export function findBrokenPart(subject: Subject, context: CheckContext): BrokenPart | undefined {
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

/** What came on a connection after the end of an answer. */
interface Excess {
  /** `content` came with an answer that has none; `answer` is a further one. */
  readonly kind: 'content' | 'answer' | 'after-length' | 'after-chunks';
  /** How many bytes there are. */
  readonly length: number;
}

/** A service may say that it waited in vain for a further request (RFC 9110 §15.5.9). */
const waitedInVain = /^HTTP\/\d\.\d 408(?:\D|$)/u;

/**
 * Looks at the bytes that came after the end of an answer, where its send saw the connection. Nothing was
 * asked for after the one request, so that they are no answer to anything; empty lines are let pass
 * (RFC 9112 §9.2), and so is the other protocol of a 101 or a tunnel.
 *
 * @returns undefined where nothing came that counts
 */
export function findExcess({ exchange: { request, answer } }: Subject): Excess | undefined {
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
