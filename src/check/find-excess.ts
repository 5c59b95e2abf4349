import { headerValue } from '../http/header-list.ts';
import type { Subject } from './exchange-check.ts';

/** What came on a connection after the end of an answer. */
export interface Excess {
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
  if (answer.kind !== 'response' || answer.trailing === undefined) {
    return undefined;
  }
  const { status, headers } = answer.response;
  const text = new TextDecoder('latin1').decode(answer.trailing).replace(/^[\r\n]+/u, '');
  if (text === '' || status === 101 || request.method === 'CONNECT' || waitedInVain.test(text)) {
    return undefined;
  }
  const { length } = text;
  if (/^HTTP\/\d/u.test(text)) {
    return { kind: 'answer', length };
  }
  if (request.method === 'HEAD' || status === 204 || status === 304) {
    return { kind: 'content', length };
  }
  const isChunked = headerValue(headers, 'transfer-encoding') !== undefined;
  return { kind: isChunked ? 'after-chunks' : 'after-length', length };
}
