import type { Operation } from '../contract/operation.ts';
import type { AnswerReading } from './answer-reading.ts';

/**
 * What an answer says to a request: taken (any 2xx), refused (a 4xx that the document declares), or
 * something else.
 */
export type StatusClass = 'accepted' | 'refused' | 'other';

/** Reads the status of an answer as taken, refused or something else. */
export function classifyStatus(answer: AnswerReading): StatusClass {
  if (answer.kind === 'none') {
    return 'other';
  }
  const { status } = answer.response;
  if (status >= 200 && status < 300) {
    return 'accepted';
  }
  return status >= 400 && status < 500 && answer.declared !== undefined ? 'refused' : 'other';
}

/** Statuses that speak of something else than what is wrong with a request's content (RFC 9110 §15.5, RFC 6585 §4). */
const ofOthers: ReadonlySet<number> = new Set([
  401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 417, 429,
]);

/** Whether an operation declares some 4xx that fits a request whose content is wrong, by range or `default` too. */
export function declaresRefusal(operation: Operation): boolean {
  return operation.responses.some(
    ({ status }) =>
      status.kind === 'default' ||
      (status.kind === 'range' && status.hundreds === 4) ||
      (status.kind === 'exact' &&
        status.status >= 400 &&
        status.status < 500 &&
        !ofOthers.has(status.status)),
  );
}
