import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import { answerExtension } from './answer-extension.ts';
import type { Answers, Policy } from './policy.ts';
import type { QuestionId } from './question-id.ts';
import { questions } from './questions.ts';
import { readDocumentAnswers } from './read-document-answers.ts';
import { silenceOf } from './silence-of.ts';

/** The answers that a document gives for one operation, and the questions that it answers for the whole service. */
function answersOf(
  operation: Operation,
  contract: Contract,
): { readonly own: Partial<Answers>; readonly shared: readonly QuestionId[] } {
  const own: Partial<Record<QuestionId, unknown>> = {};
  const shared: QuestionId[] = [];
  for (const { id, scope } of Object.values(questions)) {
    const silence = scope === 'operation' ? silenceOf({ id, operation, contract }) : undefined;
    if (silence?.kind !== 'answered' || silence.answer === undefined) {
      continue;
    }
    if (silence.pointer.startsWith(`/${answerExtension}`)) {
      shared.push(id);
    } else {
      own[id] = silence.answer;
    }
  }
  // `as`: answers are what the schemas of their questions say, or were derived as such.
  return { own: own as Partial<Answers>, shared };
}

/**
 * A policy with the answers that the document gives itself, which no policy overrides: by OpenAPI's own means, such as a
 * declared 409, or by `x-cloche-policy`.
 *
 * @returns the same policy where the document gives none
 * @throws DocumentError POLICY_INVALID where `x-cloche-policy` names a question or an answer that there is not
 */
export function withDocumentAnswers(policy: Policy, contract: Contract): Policy {
  const { root } = readDocumentAnswers(contract);
  const operations: Record<string, Partial<Answers>> = { ...policy.operations };
  let isChanged = Object.keys(root).length > 0;
  for (const operation of contract.operations) {
    const { own, shared } = answersOf(operation, contract);
    const told = Object.entries(operations[operation.id] ?? {});
    const kept = told.filter(([id]) => shared.every((each) => each !== id));
    if (Object.keys(own).length > 0 || kept.length < told.length) {
      operations[operation.id] = { ...Object.fromEntries(kept), ...own };
      isChanged = true;
    }
  }
  const ofOperations = Object.keys(operations).length === 0 ? {} : { operations };
  return isChanged ? { ...policy, ...root, ...ofOperations } : policy;
}
