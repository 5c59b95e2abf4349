import { findDocumentRoot, listDocumentRoots, resolveObject } from '../document/references.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { DocumentError, type LocatedProblem } from '../document/document.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { mergeAnswers, type Policy } from './policy.ts';
import type { BehaviourValues, DocumentValue, Behaviour, BehaviourId } from './behaviour.ts';
import { behaviours } from './behaviours/index.ts';
import { checkAnswers } from './validate.ts';

/** The extension that specifies behaviours in a document, at its root or on an operation (OpenAPI 3.1 §4.9). */
export const answerExtension = 'x-cloche-policy';

/** The values in the `x-cloche-policy` extensions of a document. */
interface DocumentAnswers {
  readonly root: Partial<BehaviourValues>;
  /** By the place of the root: of combined documents, each may have other values for its operations. */
  readonly roots: ReadonlyMap<JsonPointer, Partial<BehaviourValues>>;
  /** By the id of the operation. */
  readonly operations: ReadonlyMap<string, Partial<BehaviourValues>>;
}

const known = new WeakMap<JsonObject, DocumentAnswers>();

function readAt(
  contract: Contract,
  pointer: JsonPointer,
): { answers: Partial<BehaviourValues>; problems: LocatedProblem[] } {
  const holder = resolveObject(contract.root, pointer)?.value;
  const value = holder !== undefined && Object.hasOwn(holder, answerExtension) ? holder[answerExtension] : {};
  const place = appendPointer(pointer, answerExtension);
  const scope = pointer === findDocumentRoot(pointer) ? 'service' : 'operation';
  const problems = checkAnswers(value ?? null, scope).map((problem): LocatedProblem => {
    const inner = contract.placeOf(place + problem.pointer);
    return {
      ...(contract.locate(inner) ?? { file: contract.source, line: 1, column: 1 }),
      reason: `${place}: ${problem.reason}`,
      remedy: problem.remedy,
    };
  });
  // Without a problem, it contains behaviours with their values. With a problem, it is not used.
  return { answers: isJsonObject(value) ? value : {}, problems };
}

/**
 * Reads the values of a document in `x-cloche-policy: { "<question>": <answer> }`. Reads each document once.
 *
 * @throws DocumentError POLICY_INVALID, with the line and column of every unknown behaviour and value
 */
export function readDocumentAnswers(contract: Contract): DocumentAnswers {
  const read = known.get(contract.root);
  if (read !== undefined) return read;
  const roots = listDocumentRoots(contract.root).map((place) => ({ place, ...readAt(contract, place) }));
  const operations = contract.operations.map(({ id, pointer }) => ({ id, ...readAt(contract, pointer) }));
  const problems = [...roots, ...operations].flatMap((each) => each.problems);
  if (problems.length > 0) throw new DocumentError('POLICY_INVALID', { source: contract.source, problems });
  const answers = {
    root: rootAnswers(roots.map((root) => root.answers)),
    roots: new Map(roots.map((root) => [root.place, root.answers])),
    operations: new Map(operations.map((operation) => [operation.id, operation.answers])),
  };
  known.set(contract.root, answers);
  return answers;
}

/** Returns the values for the whole service: of combined documents, only those that no operation can have. */
function rootAnswers([own = {}, ...mounted]: readonly Partial<BehaviourValues>[]): Partial<BehaviourValues> {
  const ofService = mounted.flatMap((answers) =>
    // `as`: values are stored by the ids of their behaviours.
    Object.entries(answers).filter(([id]) => behaviours[id as BehaviourId].scope === 'service'),
  );
  // The first document takes precedence.
  return { ...Object.fromEntries(ofService.toReversed()), ...own };
}

/**
 * Adds the values in `x-cloche-policy` to the given ones that a run enforces. Values in the document take precedence.
 * The checks cover OpenAPI's own means: a document that declares 409 does not specify that 400 is wrong.
 *
 * @throws DocumentError POLICY_INVALID if `x-cloche-policy` names an unknown behaviour or value
 */
export function addDocumentAnswers(given: Partial<Policy>, contract: Contract): Partial<Policy> {
  const { root, operations } = readDocumentAnswers(contract);
  const own = [...operations].filter(([, answers]) => Object.keys(answers).length > 0);
  const operationsSaid = own.length === 0 ? {} : { operations: Object.fromEntries(own) };
  return mergeAnswers(given, { ...root, ...operationsSaid });
}

function answeredAt(
  pointer: JsonPointer,
  id: BehaviourId,
  written: BehaviourValues[BehaviourId],
): DocumentValue<JsonValue> {
  // `as`: values are JSON, as their schemas specify, only read-only.
  const answer = written as JsonValue;
  const says = `${answerExtension} says ${stringifyJson(answer)}`;
  return { kind: 'answered', pointer: appendPointer(pointer, answerExtension, id), says, answer };
}

/**
 * Returns the value that a document specifies for a behaviour of an operation, or that it is open. The order of
 * precedence is `x-cloche-policy` on the operation, OpenAPI's own means, `x-cloche-policy` at the root.
 *
 * @throws DocumentError POLICY_INVALID if `x-cloche-policy` names an unknown behaviour or value
 */
export function documentValueOf(input: {
  readonly id: BehaviourId;
  readonly operation: Operation;
  readonly contract: Contract;
}): DocumentValue<JsonValue> {
  const { id, operation, contract } = input;
  if (!('isDecidedByOpenApi' in behaviours[id])) return findDocumentAnswer(id, operation, contract);
  if (latest?.operation !== operation || latest.contract !== contract) {
    latest = { operation, contract, answers: new Map() };
  }
  const { answers } = latest;
  const answer = answers.get(id) ?? findDocumentAnswer(id, operation, contract);
  answers.set(id, answer);
  return answer;
}

/** The results for the last operation. Several callers need them, and they require its schemas. */
let latest:
  | {
      readonly operation: Operation;
      readonly contract: Contract;
      readonly answers: Map<BehaviourId, DocumentValue<JsonValue>>;
    }
  | undefined;

function findDocumentAnswer(
  id: BehaviourId,
  operation: Operation,
  contract: Contract,
): DocumentValue<JsonValue> {
  const { root, roots, operations } = readDocumentAnswers(contract);
  const place = findDocumentRoot(operation.pointer);
  const ofOperation = behaviours[id].scope === 'service' ? undefined : operations.get(operation.id)?.[id];
  if (ofOperation !== undefined) return answeredAt(operation.pointer, id, ofOperation);
  // `as`: as above.
  const own = behaviours[id].documentValue(operation, contract) as DocumentValue<JsonValue>;
  const ofService = root[id] ?? roots.get(place)?.[id];
  return own.kind === 'open' && ofService !== undefined ? answeredAt(place, id, ofService) : own;
}

/** Returns the behaviours that apply to a document. Those of resources apply only if an operation concerns them. */
export function listQuestions(contract: Contract): readonly Behaviour<BehaviourId>[] {
  // `as`: each behaviour has the values of its id.
  const all = Object.values(behaviours) as unknown as readonly Behaviour<BehaviourId>[];
  return all.filter(
    ({ id, isOfResources }) =>
      isOfResources !== true ||
      contract.operations.some(
        (operation) => documentValueOf({ id, operation, contract }).kind !== 'not-asked',
      ),
  );
}

/**
 * Returns a policy with the values that the document specifies, which no policy overrides. The document specifies them
 * by OpenAPI's own means, for example a declared 409, or by `x-cloche-policy`. The values of an operation are found on
 * the first access to them in `operations`, because this requires schemas.
 *
 * @throws DocumentError POLICY_INVALID if `x-cloche-policy` names an unknown behaviour or value
 */
export function withDocumentAnswers(policy: Policy, contract: Contract): Policy {
  const { root } = readDocumentAnswers(contract);
  const operations: Record<string, Partial<BehaviourValues>> = { ...policy.operations };
  for (const operation of contract.operations) {
    const enforced = policy.operations?.[operation.id] ?? {};
    let answers: Partial<BehaviourValues> | undefined;
    Object.defineProperty(operations, operation.id, {
      enumerable: true,
      get: () => (answers ??= answersOfOperation(operation, enforced, contract)),
    });
  }
  return { ...policy, ...root, operations };
}

/** Returns the values that a document and a policy specify for one operation alone. */
function answersOfOperation(
  operation: Operation,
  enforced: Partial<BehaviourValues>,
  contract: Contract,
): Partial<BehaviourValues> {
  const { roots, operations: said } = readDocumentAnswers(contract);
  const root = roots.get(findDocumentRoot(operation.pointer)) ?? {};
  const answers: Partial<Record<BehaviourId, unknown>> = { ...enforced };
  for (const question of Object.values(behaviours)) {
    const { id, scope } = question;
    const mayBeAnswered =
      'isDecidedByOpenApi' in question ||
      root[id] !== undefined ||
      said.get(operation.id)?.[id] !== undefined;
    if (scope === 'service' || !mayBeAnswered) continue;
    const documentValue = documentValueOf({ id, operation, contract });
    if (documentValue.kind !== 'answered' || documentValue.answer === undefined) continue;
    // A value in the document for the whole service overrides one in the policy for an operation.
    if (documentValue.pointer.startsWith(`/${answerExtension}`)) {
      Reflect.deleteProperty(answers, id);
    } else {
      answers[id] = documentValue.answer;
    }
  }
  // `as`: values match the schemas of their behaviours, or were derived from them.
  return answers as Partial<BehaviourValues>;
}
