import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operation.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { Policy } from '../policy.ts';
import type { QuestionId } from '../question-id.ts';
import { questions } from '../questions.ts';
import { silenceOf } from '../silence-of.ts';

/** An answer that a policy gives where the document is silent. */
export interface GivenAnswer {
  readonly id: QuestionId;
  /** Undefined where the question is one of the whole service. */
  readonly operation: Operation | undefined;
  readonly answer: JsonValue;
}

/** The answers of a policy that a document leaves open, question by question. */
export function givenAnswers(contract: Contract, policy: Partial<Policy>): readonly GivenAnswer[] {
  return Object.values(questions).flatMap(({ id, scope }): GivenAnswer[] => {
    const places = scope === 'service' ? contract.operations.slice(0, 1) : contract.operations;
    return places.flatMap((operation): GivenAnswer[] => {
      const answer =
        (scope === 'operation' ? policy.operations?.[operation.id]?.[id] : undefined) ?? policy[id];
      const isOpen = silenceOf({ id, operation, contract }).kind === 'open';
      return answer === undefined || !isOpen
        ? []
        : // `as`: answers are JSON, as their schemas say; they are only not written to.
          [{ id, operation: scope === 'service' ? undefined : operation, answer: answer as JsonValue }];
    });
  });
}
