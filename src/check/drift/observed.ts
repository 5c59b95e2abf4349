import type { Operation } from '../../contract/contract.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../../json/value.ts';
import { findErrorCode } from '../../policy/error-code.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Condition, QuestionId } from '../../policy/question.ts';
import { schemaProperties } from '../../schema/properties.ts';
import { readCreated } from '../reading/answer.ts';
import type { CheckedExchange } from '../reading/subject.ts';

/**
 * Reads from one exchange the value of a policy setting by which a mock would respond as the service did; undefined if no
 * value does, or if one exchange does not show it.
 *
 * @param policy - the values that the other settings, and bounds of this one, have so far
 */
export type Observe = (observed: CheckedExchange, policy: Policy) => JsonValue | undefined;

/** Settings whose value one exchange may show. */
export type Observers = Readonly<Partial<Record<QuestionId, Observe>>>;

/** The properties that a request to an operation may have by its schema. */
function askedProperties(operation: Operation | undefined): ReturnType<typeof schemaProperties> {
  return schemaProperties(operation?.requestBody?.media[0]?.schema?.schema);
}

/** The members of a valid body that its schema does not declare. */
export function undeclaredMembers({
  operation,
  request: { body },
}: CheckedExchange): readonly (readonly [name: string, value: JsonValue])[] {
  const asked = askedProperties(operation);
  const members = body.kind === 'valid' && isJsonObject(body.value) ? Object.entries(body.value) : [];
  return members.filter(([name]) => !asked.has(name));
}

/** The members of an answer to a create that the document does not declare for it. */
interface AnswerMembers {
  /** Those that the request named though its schema does not declare them either. */
  readonly kept: readonly string[];
  /** Those that the schema of the request declares, and those that the service adds. */
  readonly own: readonly string[];
  /** In words, free of generated names: the names of what was sent undeclared are generated. */
  readonly words: string;
}

/**
 * The members that an accepted create was answered with besides the declared ones; undefined where the answer is no
 * JSON object, or no property of it is declared.
 */
export function readAnswerMembers(judged: CheckedExchange): AnswerMembers | undefined {
  const created = readCreated(judged);
  if (created?.isDeclared !== true) return undefined;
  const sent = new Set(undeclaredMembers(judged).map(([name]) => name));
  const kept = created.undeclared.filter((name) => sent.has(name));
  const own = created.undeclared.filter((name) => !kept.includes(name)).toSorted();
  const parts = [
    ...(own.length === 0 ? [] : [`also ${own.join(', ')}`]),
    ...(kept.length === 0 ? [] : ['also what was sent undeclared']),
  ];
  return { kept, own, words: parts.length === 0 ? 'nothing undeclared' : parts.join(', ') };
}

/** What the code of a refusal says: `status` where it is the HTTP status, else its digits; undefined where there is none. */
export function readErrorCode({ answer, operation }: CheckedExchange): string | undefined {
  if (answer.kind === 'none' || answer.response.status < 400 || answer.content.kind !== 'json') {
    return undefined;
  }
  const { status } = answer.response;
  const code = findErrorCode(answer.content.json.value, status, operation);
  if (code === undefined) return undefined;
  return code === status ? 'status' : String(code);
}

/** The value of a member; null and an empty text say as little as none. */
function valueOf(object: JsonObject, name: string): JsonValue {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return value === undefined || value === '' ? null : value;
}

/** Whether the response to a create shows what was sent, of what both the request and the answer declare. */
export function givesBack({ operation, request, answer }: CheckedExchange): boolean {
  const sent = request.body.kind === 'valid' ? request.body.value : undefined;
  const content = answer.kind === 'response' && answer.content.kind === 'json' ? answer.content : undefined;
  const received = content?.json.value;
  if (sent === undefined || received === undefined || !isJsonObject(sent) || !isJsonObject(received)) {
    return false;
  }
  const declared = schemaProperties(content?.media?.schema?.schema);
  const asked = askedProperties(operation);
  const shared = [...asked].flatMap(([name, { readOnly, writeOnly }]) =>
    readOnly || writeOnly || !declared.has(name) ? [] : [name],
  );
  return shared.every((name) => jsonEqual(valueOf(received, name), valueOf(sent, name)));
}

const ofIntegers = new Set<QuestionId>(['int64-range', 'integer-notation']);

/** The reason for which a request is refused, as far as the request alone tells it. */
export function readCondition({ request, operation }: CheckedExchange): Condition | undefined {
  const { credentials, body, accept, invalidParameters, key, bodyBytes } = request;
  if (operation === undefined) return undefined;
  if (credentials === 'missing' || credentials === 'other') return 'missing-credentials';
  if (credentials === 'unknown-token') return 'invalid-credentials';
  if (invalidParameters.length > 0) return 'invalid-parameter';
  if (accept !== 'met') return 'not-acceptable';
  switch (body.kind) {
    case 'malformed':
      return bodyBytes === 0 ? 'missing-body' : 'malformed-body';
    case 'invalid':
      return 'invalid-body';
    case 'other-media':
      return 'unsupported-media-type';
    case 'valid':
      if (key === 'sent') return 'duplicate-key';
      // Who does not accept such an integer takes the body for one that breaks its schema.
      return body.grade.kind === 'contested' && body.grade.questions.every((id) => ofIntegers.has(id))
        ? 'invalid-body'
        : undefined;
    case 'not-expected':
    case 'unjudged':
      return undefined;
  }
}
