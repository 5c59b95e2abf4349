import type { JsonValue } from '../json/json-value.ts';
import type { QuestionId } from './question-id.ts';

/** Why an answer does not show. */
export interface Mask {
  /** The question whose answer hides it. */
  readonly by: QuestionId;
  /** A sentence without its full stop. */
  readonly why: string;
}

/**
 * Says which other answer of a policy hides the answer to a question, so that nothing sent to such a service
 * would show it.
 *
 * @param answers - all of a policy as they stand in its file, the answer in question among them
 * @returns undefined where it shows
 */
export type FindMask = (answers: Readonly<Partial<Record<QuestionId, JsonValue>>>) => Mask | undefined;
