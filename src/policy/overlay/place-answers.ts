import type { Contract } from '../../contract/contract.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import type { JsonPointer } from '../../json/json-pointer.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { Policy } from '../policy.ts';
import { answerExtension } from '../answer-extension.ts';
import type { DeclaredAnswer } from './declare-answers.ts';
import type { DocumentChange } from './document-change.ts';
import { isInDocument } from './is-in-document.ts';

/** An answer that is left to be said. */
export interface LeftAnswer extends DeclaredAnswer {
  /** Whether the document says otherwise by OpenAPI's own means, which go before what stands at its root. */
  readonly isContradicted: boolean;
}

interface PlacedAnswers {
  readonly changes: readonly DocumentChange[];
  /** What cannot be said in the document, as the operation stands in another file. */
  readonly unsaid: readonly DeclaredAnswer[];
}

/** Whether an answer holds for the whole service: the policy says so, and every operation that needs it needs the same. */
function isShared(answer: LeftAnswer, answers: readonly LeftAnswer[], policy: Partial<Policy>): boolean {
  return (
    policy[answer.id] !== undefined &&
    answers.every(
      ({ id, left, isContradicted }) => id !== answer.id || (!isContradicted && jsonEqual(left, answer.left)),
    )
  );
}

/**
 * Says with `x-cloche-policy` what OpenAPI has no words for: at the root where it holds for the whole service, else on each
 * operation.
 *
 * @param answers - those that are left to be said
 */
export function placeAnswers(
  answers: readonly LeftAnswer[],
  { contract, policy }: { readonly contract: Contract; readonly policy: Partial<Policy> },
): PlacedAnswers {
  const places = new Map<JsonPointer, JsonObject>();
  const unsaid: DeclaredAnswer[] = [];
  for (const answer of answers) {
    const isOfService = answer.operation === undefined || isShared(answer, answers, policy);
    const pointer = isOfService ? '' : (answer.operation?.pointer ?? '');
    if (isInDocument(contract, pointer)) {
      places.set(pointer, { ...places.get(pointer), [answer.id]: answer.left });
    } else {
      unsaid.push(answer);
    }
  }
  const changes = [...places].map(([pointer, value]): DocumentChange => ({
    pointer,
    description: 'What OpenAPI has no words for.',
    change: { kind: 'update', value: { [answerExtension]: value } },
  }));
  return { changes, unsaid };
}
