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

/** Whether an operation declares any 4xx, by range or `default` too. */
export function declaresRefusal(operation: Operation): boolean {
  return operation.responses.some(
    ({ status }) =>
      status.kind === 'default' ||
      (status.kind === 'range' && status.hundreds === 4) ||
      (status.kind === 'exact' && status.status >= 400 && status.status < 500),
  );
}
