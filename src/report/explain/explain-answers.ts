import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operation.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { describeAnswer } from '../../policy/describe-answer.ts';
import { createPolicy, type Policy } from '../../policy/policy.ts';
import { policyOf } from '../../policy/policy-of.ts';
import type { QuestionId } from '../../policy/question-id.ts';
import { questions } from '../../policy/questions.ts';
import { silenceOf } from '../../policy/silence-of.ts';
import { noWords } from '../../policy/silences/no-words.ts';
import { withDocumentAnswers } from '../../policy/with-document-answers.ts';
import { explainPlace } from './explain-place.ts';
import type { ExplainedAnswer } from './explanation.ts';

interface Known {
  readonly contract: Contract;
  /** What was given. */
  readonly given: Partial<Policy>;
  /** What it comes to with the defaults and the document. */
  readonly whole: Policy;
}

function isGiven({ given }: Known, id: QuestionId, operationId: string | undefined): boolean {
  const own = operationId === undefined ? undefined : given.operations?.[operationId]?.[id];
  return (own ?? given[id]) !== undefined;
}

function explainAnswer(id: QuestionId, operation: Operation, known: Known): ExplainedAnswer {
  const { contract, whole } = known;
  const operationId = questions[id].scope === 'service' ? undefined : operation.id;
  const silence = silenceOf({ id, operation, contract });
  const head = { question: id, operation: operationId ?? null, state: silence.kind };
  if (silence.kind === 'not-asked') {
    return { ...head, says: silence.why };
  }
  const value = policyOf(whole, operationId)[id];
  // `as`: answers are JSON, as their schemas say; they are only not written to.
  const answer = { value: value as JsonValue, words: describeAnswer(id, value) };
  if (silence.kind === 'answered') {
    const place = explainPlace(silence.pointer, contract);
    const isDerived = silence.answer !== undefined;
    return { ...head, ...(isDerived ? { answer } : {}), from: 'document', says: silence.says, place };
  }
  return {
    ...head,
    answer,
    from: isGiven(known, id, operationId) ? 'policy' : 'default',
    ...(silence.says === undefined ? {} : { says: silence.says }),
    settledBy: silence.settledBy,
    hasWords: silence.settledBy !== noWords,
  };
}

/**
 * How each question stands for each operation, or once for the whole service.
 *
 * @param given - the answers that are known besides what the document says
 */
export function explainAnswers(contract: Contract, given: Partial<Policy>): readonly ExplainedAnswer[] {
  const known = { contract, given, whole: withDocumentAnswers(createPolicy(given), contract) };
  return Object.values(questions).flatMap(({ id, scope }) => {
    const asked = scope === 'service' ? contract.operations.slice(0, 1) : contract.operations;
    return asked.map((operation) => explainAnswer(id, operation, known));
  });
}
