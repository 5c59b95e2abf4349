import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import { appendPointer, type JsonPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import { answerExtension } from './answer-extension.ts';
import { readDocumentAnswers } from './read-document-answers.ts';
import type { Answers } from './policy.ts';
import type { QuestionId } from './question-id.ts';
import { questions } from './questions.ts';
import { silences } from './silences.ts';
import type { Silence } from './silence.ts';

function answeredAt(pointer: JsonPointer, id: QuestionId, written: Answers[QuestionId]): Silence<JsonValue> {
  // `as`: answers are JSON, as their schemas say; they are only not written to.
  const answer = written as JsonValue;
  const place = appendPointer(pointer, answerExtension, id);
  return {
    kind: 'answered',
    pointer: place,
    says: `${answerExtension} says ${stringifyJson(answer)}`,
    answer,
  };
}

/**
 * What a document says to a question about an operation, and what it leaves open: by `x-cloche-policy` on the operation,
 * else by OpenAPI's own means, else by `x-cloche-policy` at its root.
 *
 * @throws DocumentError POLICY_INVALID where `x-cloche-policy` names a question or an answer that there is not
 */
export function silenceOf(input: {
  readonly id: QuestionId;
  readonly operation: Operation;
  readonly contract: Contract;
}): Silence<JsonValue> {
  const { id, operation, contract } = input;
  const { root, operations } = readDocumentAnswers(contract);
  const ofOperation = questions[id].scope === 'service' ? undefined : operations.get(operation.id)?.[id];
  if (ofOperation !== undefined) {
    return answeredAt(operation.pointer, id, ofOperation);
  }
  // `as`: as above.
  const own = silences[id].silence(operation, contract) as Silence<JsonValue>;
  const ofService = root[id];
  return own.kind === 'open' && ofService !== undefined ? answeredAt('', id, ofService) : own;
}
