import type { Contract } from '../../contract/contract.ts';
import type { TextLocation } from '../../document/located-problem.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { answerExtension } from '../../policy/answer-extension.ts';
import type { QuestionId } from '../../policy/question-id.ts';
import { questions } from '../../policy/questions.ts';
import { readDocumentAnswers } from '../../policy/read-document-answers.ts';
import { silenceOf } from '../../policy/silence-of.ts';

/** Where a document answers a question. */
export interface DocumentAnswerPlace {
  readonly pointer: string;
  /** What it says, as a sentence without its full stop. */
  readonly says: string;
  /** Where in its text that is, as far as it is known. */
  readonly location: TextLocation | undefined;
}

/** A document of many operations may say the same at each: nobody reads more than these. */
const most = 5;

/** To find a line takes a look through the document, and whoever shows a policy asks for it again and again. */
const known = new WeakMap<JsonObject, Map<QuestionId, readonly DocumentAnswerPlace[]>>();

function findPlaces(
  id: QuestionId,
  contract: Contract,
): readonly Pick<DocumentAnswerPlace, 'pointer' | 'says'>[] {
  if (questions[id].scope === 'service') {
    // `as`: answers are JSON, as their schemas say; they are only not written to.
    const answer = readDocumentAnswers(contract).root[id] as JsonValue | undefined;
    const says = answer === undefined ? '' : `${answerExtension} says ${stringifyJson(answer)}`;
    return answer === undefined ? [] : [{ pointer: appendPointer('', answerExtension, id), says }];
  }
  return contract.operations.flatMap((operation) => {
    const silence = silenceOf({ id, operation, contract });
    return silence.kind === 'answered' ? [silence] : [];
  });
}

/** The first few places where a document answers a question, for all or for some of its operations. */
export function listDocumentPlaces(id: QuestionId, contract: Contract): readonly DocumentAnswerPlace[] {
  const ofDocument = known.get(contract.root) ?? new Map<QuestionId, readonly DocumentAnswerPlace[]>();
  known.set(contract.root, ofDocument);
  const listed = ofDocument.get(id);
  if (listed !== undefined) {
    return listed;
  }
  const distinct = new Map(findPlaces(id, contract).map(({ pointer, says }) => [pointer, says]));
  const places = [...distinct].slice(0, most).map(([pointer, says]) => ({
    pointer,
    says,
    location: contract.locate(contract.placeOf(pointer)),
  }));
  ofDocument.set(id, places);
  return places;
}
