import type { Contract } from '../contract/contract.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { appendPointer, type JsonPointer } from '../json/json-pointer.ts';
import type { JsonObject } from '../json/json-value.ts';
import { resolveObject } from '../contract/resolve-object.ts';
import { DocumentError } from '../document/document-error.ts';
import type { LocatedProblem } from '../document/located-problem.ts';
import { answerExtension } from './answer-extension.ts';
import { checkAnswers } from './check-answers.ts';
import type { Answers } from './policy.ts';

/** What a document answers in its own words for us. */
export interface DocumentAnswers {
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
  if (read !== undefined) {
    return read;
  }
  const root = readAt(contract, '');
  const operations = contract.operations.map(({ id, pointer }) => ({ id, ...readAt(contract, pointer) }));
  const problems = [root, ...operations].flatMap((each) => each.problems);
  if (problems.length > 0) {
    throw new DocumentError('POLICY_INVALID', { source: contract.source, problems });
  }
  const answers = {
    root: root.answers,
    operations: new Map(operations.map((operation) => [operation.id, operation.answers])),
  };
  known.set(contract.root, answers);
  return answers;
}
