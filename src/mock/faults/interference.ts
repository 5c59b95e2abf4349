import type { Delivery } from '../steps/delivery.ts';
import type { MockAnswer } from '../steps/mock-answer.ts';

/** What comes between a request and the answer that it would get. */
export interface Interference {
  /** The answer in place of every step, or undefined where the steps are taken. */
  readonly forced: MockAnswer | undefined;
  /** The answer in place of what a valid request does. */
  readonly preferred: MockAnswer | undefined;
  readonly delivery: Delivery | undefined;
  /** Fields of every answer, names and values in turn. */
  readonly headers: readonly string[];
  /** The id of the rule that brought it. */
  readonly fault: string | undefined;
  /** What the log says where the answer says nothing. */
  readonly message: string | undefined;
}

/** The answer that a request gets in the end. */
export function interfereWith(answer: MockAnswer, interference: Interference | undefined): MockAnswer {
  if (interference === undefined) {
    return answer;
  }
  const { delivery, headers, fault, message } = interference;
  const { note } = answer;
  return {
    ...answer,
    headers: headers.length === 0 ? answer.headers : [...answer.headers, ...headers],
    note: {
      ...note,
      ...(fault === undefined ? {} : { fault }),
      ...(note.message !== undefined || message === undefined ? {} : { message }),
    },
    delivery,
  };
}
