import type { Operation } from '../../contract/contract.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../../json/value.ts';
import { findErrorCode } from '../../policy/error-code.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Condition, BehaviourId } from '../../policy/behaviour.ts';
import { schemaProperties } from '../../schema/properties.ts';
import { readCreated } from '../classify/answer.ts';
import type { CheckedExchange } from '../classify/subject.ts';
import type { PolicyRule } from './evidence.ts';

/**
 * Returns the policy value with which a mock would respond as the service did; undefined if there is none, or if one
 * exchange does not show it.
 *
 * @param policy - the current values of other behaviours, and the bounds of this one
 */
export type Observe = (observed: CheckedExchange, policy: Policy) => JsonValue | undefined;

/** For policy behaviours, the rule that checks one exchange, and the function that reads the value that it shows. */
export type ShownBehaviours = Readonly<
  Partial<Record<BehaviourId, { readonly enforce?: PolicyRule; readonly observe?: Observe }>>
>;

/** Returns the properties of the request body by the schema of an operation. */
function askedProperties(operation: Operation | undefined): ReturnType<typeof schemaProperties> {
  return schemaProperties(operation?.requestBody?.media[0]?.schema?.schema);
}

/** Lists the members of a valid body that its schema does not declare. */
export function undeclaredMembers({
  operation,
  request: { body },
}: CheckedExchange): readonly (readonly [name: string, value: JsonValue])[] {
  const asked = askedProperties(operation);
  const members = body.kind === 'valid' && isJsonObject(body.value) ? Object.entries(body.value) : [];
  return members.filter(([name]) => !asked.has(name));
}

/** The members in the response to a create that the document does not declare for it. */
interface AnswerMembers {
  /** Members that the request sent though its schema does not declare them. */
  readonly kept: readonly string[];
  /** Members that the schema of the request declares, and members that the service adds. */
  readonly own: readonly string[];
  /** A description without the names of undeclared members that were sent, as these are generated. */
  readonly words: string;
}

/**
 * Returns the undeclared members in the response to an accepted create; undefined if the response is not a JSON object,
 * or declares no property.
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

/** Returns the error code of a rejection: `status` if it is the HTTP status, otherwise its digits, if there is one. */
export function readErrorCode({ answer, operation }: CheckedExchange): string | undefined {
  if (answer.kind === 'none' || answer.response.status < 400 || answer.content.kind !== 'json') {
    return undefined;
  }
  const { status } = answer.response;
  const code = findErrorCode(answer.content.json.value, status, operation);
  if (code === undefined) return undefined;
  return code === status ? 'status' : String(code);
}

/** Returns the value of a member; null for a missing one or an empty text. */
function valueOf(object: JsonObject, name: string): JsonValue {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return value === undefined || value === '' ? null : value;
}

/** Returns whether the response to a create shows the sent values of all properties that both schemas declare. */
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

const ofIntegers = new Set<BehaviourId>(['int64-range', 'integer-notation']);

/** Returns the reason why a request is rejected, as far as the request alone shows it. */
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
      // A service that does not accept the integer treats the body as one that breaks its schema.
      return body.grade.kind === 'ambiguous' && body.grade.questions.every((id) => ofIntegers.has(id))
        ? 'invalid-body'
        : undefined;
    case 'not-expected':
    case 'unjudged':
      return undefined;
  }
}
