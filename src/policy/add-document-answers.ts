import type { Contract } from '../contract/contract.ts';
import { mergeAnswers } from './merge-answers.ts';
import type { Policy } from './policy.ts';
import { readDocumentAnswers } from './read-document-answers.ts';

/**
 * What a service is held to where its document answers questions with `x-cloche-policy`: those answers, and of the
 * given ones the rest. What follows from OpenAPI's own means is the matter of the checks: a document that declares 409
 * does not say that 400 is wrong.
 *
 * @throws DocumentError POLICY_INVALID where `x-cloche-policy` names a question or an answer that there is not
 */
export function addDocumentAnswers(given: Partial<Policy>, contract: Contract): Partial<Policy> {
  const { root, operations } = readDocumentAnswers(contract);
  const own = [...operations].filter(([, answers]) => Object.keys(answers).length > 0);
  // `as`: they were checked to be answers to their questions.
  const said = {
    ...root,
    ...(own.length === 0 ? {} : { operations: Object.fromEntries(own) }),
  } as unknown as Partial<Policy>;
  return mergeAnswers(given, said);
}
