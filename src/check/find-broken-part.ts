import { readHttpResponse, type ResponsePart } from '../http/read-http-response.ts';
import type { CheckContext } from './check-context.ts';
import type { Subject } from './exchange-check.ts';
import { isExcusedDrop } from './is-excused-drop.ts';

/** What is wrong with an answer that began, and never became one. */
export interface BrokenPart {
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
  if ((answer.kind !== 'not-http' && !isCutShort) || isExcusedDrop(subject, context)) {
    return undefined;
  }
  const { received } = answer;
  const reading = readHttpResponse({ bytes: received, method: request.method, ended: false });
  if (received.length === 0 || reading.kind === 'response') {
    return undefined;
  }
  if (reading.kind === 'incomplete') {
    return isCutShort ? { part: reading.part, isCutShort, reason: answer.reason } : undefined;
  }
  return { part: reading.part, isCutShort: false, reason: reading.reason };
}
