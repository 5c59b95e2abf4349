import type { Contract } from '../../contract/contract.ts';
import { findDeclaredSuccess } from '../../contract/find-declared-success.ts';
import type { Operation } from '../../contract/operation.ts';
import { resolveObject } from '../../contract/resolve-object.ts';
import { statusName } from '../../contract/status-name.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { Addition, Declaration, Declare } from '../declaration.ts';
import type { QuestionId } from '../question-id.ts';
import { silences } from '../silences.ts';
import { jsonBodies } from '../silences/json-bodies.ts';
import { addResponses } from './add-responses.ts';
import type { DocumentChange } from './document-change.ts';
import { extendSchemas } from './extend-schemas.ts';
import type { GivenAnswer } from './given-answers.ts';
import { isInDocument } from './is-in-document.ts';
import { mergeSchemas } from './merge-schemas.ts';

/** An answer, and what is left of it to be said in other words than OpenAPI's. */
export interface DeclaredAnswer extends GivenAnswer {
  readonly left: JsonValue;
}

interface Where {
  readonly contract: Contract;
  readonly operation: Operation;
}

function declare({ id, answer }: GivenAnswer, where: Where): Declaration<JsonValue> {
  // `as`: the answers of a question are what it declares.
  const own = silences[id].declare as Declare<JsonValue> | undefined;
  return own?.({ ...where, answer }) ?? { additions: [], answer };
}

function schemasOf(
  additions: readonly Addition[],
  kind: 'request-schema' | 'answer-schema',
): readonly JsonObject[] {
  return additions.flatMap((addition) => (addition.kind === kind ? [addition.schema] : []));
}

function successKey({ contract, operation }: Where): string | undefined {
  const success = findDeclaredSuccess(operation);
  const responses = resolveObject(contract.root, appendPointer(operation.pointer, 'responses'))?.value ?? {};
  return success === undefined
    ? undefined
    : Object.keys(responses).find((key) => key.toUpperCase() === statusName(success.status).toUpperCase());
}

function extendRequest(additions: readonly Addition[], where: Where): readonly DocumentChange[] | undefined {
  const schemas = schemasOf(additions, 'request-schema');
  return schemas.length === 0
    ? []
    : extendSchemas({
        ...where,
        holder: ['requestBody'],
        ranges: jsonBodies(where.operation).map(({ range }) => range),
        schema: mergeSchemas(schemas),
        description: 'What its bodies must meet besides.',
      });
}

function extendAnswer(additions: readonly Addition[], where: Where): readonly DocumentChange[] | undefined {
  const schemas = schemasOf(additions, 'answer-schema');
  const key = successKey(where);
  const media = findDeclaredSuccess(where.operation)?.media ?? [];
  return schemas.length === 0 || key === undefined
    ? []
    : extendSchemas({
        ...where,
        holder: ['responses', key],
        ranges: media.filter(({ isJson }) => isJson).map(({ range }) => range),
        schema: mergeSchemas(schemas),
        description: 'What its answers hold besides.',
      });
}

/** A 401 or 403 speaks of missing and of unknown credentials alike, which says too much where one alone is known. */
function isHalf({ id }: GivenAnswer, given: readonly GivenAnswer[]): boolean {
  const has = (wanted: QuestionId): boolean => given.some((each) => each.id === wanted);
  const letsAnyIn = given.some((each) => each.id === 'accepted-tokens' && each.answer === 'any');
  switch (id) {
    case 'missing-credentials':
      return !has('invalid-credentials') && !letsAnyIn;
    case 'invalid-credentials':
      return !has('missing-credentials');
    default:
      return false;
  }
}

/** Says by OpenAPI's own means what answers mean for one operation, as far as it has words for them. */
export function declareAnswers(
  given: readonly GivenAnswer[],
  where: Where,
): { readonly changes: readonly DocumentChange[]; readonly answers: readonly DeclaredAnswer[] } {
  if (!isInDocument(where.contract, where.operation.pointer)) {
    return { changes: [], answers: given.map((each) => ({ ...each, left: each.answer })) };
  }
  const declared = given.map((each) => ({ each, ...declare(each, where) }));
  const additions = declared.flatMap((each) => each.additions);
  const asked = declared.flatMap(({ each, additions: own }) =>
    own.map((addition) => ({ id: each.id, isHalf: isHalf(each, given), addition })),
  );
  const request = extendRequest(additions, where);
  const answer = extendAnswer(additions, where);
  return {
    changes: [...addResponses(asked, where), ...(request ?? []), ...(answer ?? [])],
    answers: declared.map(({ each, additions: own, answer: left }) => {
      const isLost =
        (request === undefined && schemasOf(own, 'request-schema').length > 0) ||
        (answer === undefined && schemasOf(own, 'answer-schema').length > 0);
      return { ...each, left: isLost ? each.answer : left };
    }),
  };
}
