import { resolveObject } from '../document/references.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { DocumentError, type LocatedProblem } from '../document/document.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { mergeAnswers, type Policy } from './policy.ts';
import type { Answers, DocumentAnswer, Question, QuestionId } from './question.ts';
import { questions } from './questions/index.ts';
import { checkAnswers } from './validate.ts';

/** The extension that a document answers questions with, at its root or on an operation (OpenAPI 3.1 §4.9). */
export const answerExtension = 'x-cloche-policy';

/** What a document answers in its own words for us. */
interface DocumentAnswers {
  readonly root: Partial<Answers>;
  /** By the id of the operation. */
  readonly operations: ReadonlyMap<string, Partial<Answers>>;
}

const known = new WeakMap<JsonObject, DocumentAnswers>();

function readAt(
  contract: Contract,
  pointer: JsonPointer,
): { answers: Partial<Answers>; problems: LocatedProblem[] } {
  const holder = resolveObject(contract.root, pointer)?.value;
  const value = holder !== undefined && Object.hasOwn(holder, answerExtension) ? holder[answerExtension] : {};
  const place = appendPointer(pointer, answerExtension);
  const scope = pointer === '' ? 'service' : 'operation';
  const problems = checkAnswers(value ?? null, scope).map((problem): LocatedProblem => {
    const inner = contract.placeOf(place + problem.pointer);
    return {
      ...(contract.locate(inner) ?? { file: contract.source, line: 1, column: 1 }),
      reason: `${place}: ${problem.reason}`,
      remedy: problem.remedy,
    };
  });
  // Without a problem it holds questions with answers to them, and with one it is not used.
  return { answers: isJsonObject(value) ? value : {}, problems };
}

/**
 * Reads what a document answers with `x-cloche-policy: { "<question>": <answer> }`; each document once.
 *
 * @throws DocumentError POLICY_INVALID, with the line and column of every question and answer that there is not
 */
export function readDocumentAnswers(contract: Contract): DocumentAnswers {
  const read = known.get(contract.root);
  if (read !== undefined) return read;
  const root = readAt(contract, '');
  const operations = contract.operations.map(({ id, pointer }) => ({ id, ...readAt(contract, pointer) }));
  const problems = [root, ...operations].flatMap((each) => each.problems);
  if (problems.length > 0) throw new DocumentError('POLICY_INVALID', { source: contract.source, problems });
  const answers = {
    root: root.answers,
    operations: new Map(operations.map((operation) => [operation.id, operation.answers])),
  };
  known.set(contract.root, answers);
  return answers;
}

/**
 * What a service is held to where its document has `x-cloche-policy`: those answers, and of the given ones the rest. What
 * OpenAPI's own means say is the matter of the checks: a document that declares 409 does not say that 400 is wrong.
 *
 * @throws DocumentError POLICY_INVALID where `x-cloche-policy` names a question or an answer that there is not
 */
export function addDocumentAnswers(given: Partial<Policy>, contract: Contract): Partial<Policy> {
  const { root, operations } = readDocumentAnswers(contract);
  const own = [...operations].filter(([, answers]) => Object.keys(answers).length > 0);
  const operationsSaid = own.length === 0 ? {} : { operations: Object.fromEntries(own) };
  return mergeAnswers(given, { ...root, ...operationsSaid });
}

function answeredAt(
  pointer: JsonPointer,
  id: QuestionId,
  written: Answers[QuestionId],
): DocumentAnswer<JsonValue> {
  // `as`: answers are JSON, as their schemas say; they are only not written to.
  const answer = written as JsonValue;
  const says = `${answerExtension} says ${stringifyJson(answer)}`;
  return { kind: 'answered', pointer: appendPointer(pointer, answerExtension, id), says, answer };
}

/**
 * What a document says to a question about an operation, and what it leaves open: by `x-cloche-policy` on the operation,
 * else by OpenAPI's own means, else by `x-cloche-policy` at its root.
 *
 * @throws DocumentError POLICY_INVALID where `x-cloche-policy` names a question or an answer that there is not
 */
export function documentAnswerOf(input: {
  readonly id: QuestionId;
  readonly operation: Operation;
  readonly contract: Contract;
}): DocumentAnswer<JsonValue> {
  const { id, operation, contract } = input;
  if (!('isAnsweredByOpenApi' in questions[id])) return findDocumentAnswer(id, operation, contract);
  if (latest?.operation !== operation || latest.contract !== contract) {
    latest = { operation, contract, answers: new Map() };
  }
  const { answers } = latest;
  const answer = answers.get(id) ?? findDocumentAnswer(id, operation, contract);
  answers.set(id, answer);
  return answer;
}

/** What was found for the operation that was asked about last: several ask, and it takes the schemas of the operation. */
let latest:
  | {
      readonly operation: Operation;
      readonly contract: Contract;
      readonly answers: Map<QuestionId, DocumentAnswer<JsonValue>>;
    }
  | undefined;

function findDocumentAnswer(
  id: QuestionId,
  operation: Operation,
  contract: Contract,
): DocumentAnswer<JsonValue> {
  const { root, operations } = readDocumentAnswers(contract);
  const ofOperation = questions[id].scope === 'service' ? undefined : operations.get(operation.id)?.[id];
  if (ofOperation !== undefined) return answeredAt(operation.pointer, id, ofOperation);
  // `as`: as above.
  const own = questions[id].documentAnswer(operation, contract) as DocumentAnswer<JsonValue>;
  const ofService = root[id];
  return own.kind === 'open' && ofService !== undefined ? answeredAt('', id, ofService) : own;
}

/** The questions that a document gives occasion for: those about resources only where some operation has to do with them. */
export function listQuestions(contract: Contract): readonly Question<QuestionId>[] {
  // `as`: each question stands for its own id.
  const all = Object.values(questions) as unknown as readonly Question<QuestionId>[];
  return all.filter(
    ({ id, isOfResources }) =>
      isOfResources !== true ||
      contract.operations.some(
        (operation) => documentAnswerOf({ id, operation, contract }).kind !== 'not-asked',
      ),
  );
}

/**
 * A policy with the answers that the document gives itself, which no policy overrides: by OpenAPI's own means, such as a
 * declared 409, or by `x-cloche-policy`. Those of an operation are found when `operations` is first asked for them, since
 * schemas have to be read for it.
 *
 * @throws DocumentError POLICY_INVALID where `x-cloche-policy` names a question or an answer that there is not
 */
export function withDocumentAnswers(policy: Policy, contract: Contract): Policy {
  const { root } = readDocumentAnswers(contract);
  const operations: Record<string, Partial<Answers>> = { ...policy.operations };
  for (const operation of contract.operations) {
    const enforced = policy.operations?.[operation.id] ?? {};
    let answers: Partial<Answers> | undefined;
    Object.defineProperty(operations, operation.id, {
      enumerable: true,
      get: () => (answers ??= answersOfOperation(operation, enforced, contract)),
    });
  }
  return { ...policy, ...root, operations };
}

/** What a document and a policy answer for one operation alone. */
function answersOfOperation(
  operation: Operation,
  enforced: Partial<Answers>,
  contract: Contract,
): Partial<Answers> {
  const { root, operations: said } = readDocumentAnswers(contract);
  const answers: Partial<Record<QuestionId, unknown>> = { ...enforced };
  for (const question of Object.values(questions)) {
    const { id, scope } = question;
    const mayBeAnswered =
      'isAnsweredByOpenApi' in question ||
      root[id] !== undefined ||
      said.get(operation.id)?.[id] !== undefined;
    if (scope === 'service' || !mayBeAnswered) continue;
    const documentAnswer = documentAnswerOf({ id, operation, contract });
    if (documentAnswer.kind !== 'answered' || documentAnswer.answer === undefined) continue;
    // What it answers for the whole service goes before what a policy says of an operation.
    if (documentAnswer.pointer.startsWith(`/${answerExtension}`)) {
      Reflect.deleteProperty(answers, id);
    } else {
      answers[id] = documentAnswer.answer;
    }
  }
  // `as`: answers are what the schemas of their questions say, or were derived as such.
  return answers as Partial<Answers>;
}
