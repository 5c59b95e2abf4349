import type { JsonValue } from '../../json/json-value.ts';
import type { QuestionId } from '../../policy/question-id.ts';

/** Answers as they stand in a policy file. */
export type ProposedAnswers = Readonly<Partial<Record<QuestionId, JsonValue>>>;

/** The answers by which a mock would do what the service under test was seen to do. */
export interface PolicyProposal {
  readonly answers: ProposedAnswers;
  /** By the id of the operation, where operations answer one question differently. */
  readonly operations: Readonly<Record<string, ProposedAnswers>>;
  /** The questions that the service answers in more than one way, so that one answer does not say all of it. */
  readonly unsure: readonly QuestionId[];
}
