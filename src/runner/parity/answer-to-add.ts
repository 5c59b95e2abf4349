import type { Boundary } from '../../check/boundary.ts';
import { isAccepted, statusOf } from '../../check/reading/answer.ts';
import { isOrdinaryProperty } from '../../check/reading/body.ts';
import type { CheckedExchange } from '../../check/reading/subject.ts';
import { clientIdProperty } from '../../contract/request-facts.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { headerValue } from '../../http/message.ts';
import { compareNumbers, toJsonNumber } from '../../json/exact-number.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Policy } from '../../policy/policy.ts';
import type { QuestionId } from '../../policy/question.ts';
import { listRefusalBodies } from '../../policy/questions/credentials.ts';
import { schemaProperties } from '../../schema/properties.ts';
import {
  askedProperties,
  readAnswerMembers,
  readCondition,
  readErrorCode,
  undeclaredMembers,
} from './compare.ts';

function isTaken({ answer }: CheckedExchange): boolean {
  return isAccepted(answer);
}

/** The value of a member; null and an empty text say as little as none. */
function valueOf(object: JsonObject, name: string): JsonValue {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return value === undefined || value === '' ? null : value;
}

/** Whether a create was answered with what was sent, of what both the request and the answer declare. */
function givesBack({ operation, request, answer }: CheckedExchange): boolean {
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

function readDuplicate(mine: CheckedExchange): JsonValue | undefined {
  if (isTaken(mine)) {
    const hasContent = mine.answer.kind === 'response' && mine.answer.content.kind === 'json';
    return hasContent ? (givesBack(mine) ? 'replace' : 'keep-first') : undefined;
  }
  return new Map([
    [400, 'refuse'],
    [409, 'conflict'],
    [422, 'unprocessable'],
  ]).get(statusOf(mine));
}

function readCredentials({ answer, operation }: CheckedExchange): JsonValue | undefined {
  if (answer.kind === 'none' || answer.response.status < 300 || answer.response.status > 499) {
    return undefined;
  }
  const { status, headers, body: bytes } = answer.response;
  const [body] = listRefusalBodies(
    {
      bytes: bytes.length,
      mediaType: parseMediaType(headerValue(headers, 'content-type') ?? '')?.essence,
      value: answer.content.kind === 'json' ? answer.content.json.value : undefined,
    },
    [operation],
  );
  return { status, body };
}

/** A limit is rarely any other number than a power of two, or a round one below it. */
function readBodyLimit(mine: CheckedExchange, policy: Policy): JsonValue | undefined {
  const { bodyBytes } = mine.request;
  const status = statusOf(mine);
  if (isTaken(mine)) {
    const { bytes, status: past } = policy['body-limit'];
    return { bytes: Math.max(bytes, 2 ** Math.ceil(Math.log2(bodyBytes))), status: past };
  }
  const bytes = 2 ** Math.floor(Math.log2(bodyBytes - 1));
  return status === 413 || status === 400 ? { bytes, status } : undefined;
}

/** Where there is but one member besides the key, it is the one that has to be unique. */
function readUnique({ operation, request: { body } }: CheckedExchange): JsonValue | undefined {
  const key = operation && clientIdProperty(operation);
  const names = body.kind === 'valid' && isJsonObject(body.value) ? Object.keys(body.value) : [];
  const others = names.filter((name) => name !== key);
  return others.length === 1 ? others : undefined;
}

function readUndeclared(mine: CheckedExchange): JsonValue | undefined {
  if (!isTaken(mine)) {
    const isOrdinary = undeclaredMembers(mine).some(([name, value]) => isOrdinaryProperty(name, value));
    return isOrdinary ? 'refuse' : undefined;
  }
  return (readAnswerMembers(mine)?.kept.length ?? 0) > 0 ? 'store' : 'ignore';
}

function readExtras(mine: CheckedExchange): JsonValue | undefined {
  const own = readAnswerMembers(mine)?.own ?? [];
  const key = mine.operation && clientIdProperty(mine.operation);
  if (own.length === 0) return 'none';
  return own.length === 1 && own[0] === key ? 'id' : undefined;
}

function readErrorCodes(mine: CheckedExchange): JsonValue | undefined {
  const code = readErrorCode(mine);
  const condition = readCondition(mine);
  if (code === undefined || condition === undefined) return undefined;
  return code === 'status' ? 'status' : { [condition]: Number(code) };
}

/**
 * The answer by which a mock with the policy of the other service would do what the service under test did; undefined
 * where no answer of the question does, or where one exchange does not tell.
 */
export function answerToAdd(input: {
  readonly question: QuestionId;
  readonly mine: CheckedExchange;
  readonly policy: Policy;
}): JsonValue | undefined {
  const { question, mine, policy } = input;
  switch (question) {
    case 'duplicate-key':
      return readDuplicate(mine);
    case 'missing-credentials':
    case 'invalid-credentials':
      return readCredentials(mine);
    case 'accepted-tokens':
      return isTaken(mine) ? 'any' : 'listed';
    case 'auth-order':
      return policy['auth-order'] === 'before' ? 'after' : 'before';
    case 'error-codes':
      return readErrorCodes(mine);
    case 'unsupported-media-type':
      return isTaken(mine) ? 'read' : [400, 415].find((status) => status === statusOf(mine));
    case 'body-limit':
      return readBodyLimit(mine, policy);
    case 'unique-properties':
      return isTaken(mine) ? [] : readUnique(mine);
    case 'undeclared-properties':
      return readUndeclared(mine);
    case 'int64-range':
      return isTaken(mine) ? 'accept' : 'refuse';
    case 'integer-notation':
      return isTaken(mine) ? 'yes' : 'no';
    case 'duplicate-keys-in-json':
      return isTaken(mine) ? (givesBack(mine) ? 'last' : 'first') : 'refuse';
    case 'echo':
      return 'none';
    case 'response-extras':
      return readExtras(mine);
    case 'accept':
      return statusOf(mine) === 406 ? 406 : isTaken(mine) ? 'ignore' : undefined;
    case 'other-operations':
      // What is accepted is an operation that nobody declared, and says nothing of the others.
      return isTaken(mine) ? undefined : { [mine.knowsPath ? 'method' : 'path']: statusOf(mine) };
    case 'read-only-sent':
    case 'unknown-query-parameter':
      return isTaken(mine) ? 'ignore' : 'refuse';
    case 'limit-above-maximum':
      return isTaken(mine) ? 'clamp' : 'refuse';
    case 'constraints':
    case 'rate-limit':
    // One exchange does not show what was there before it.
    case 'unknown-key-replaced':
    case 'deleted-again':
    case 'deleted-parent':
    case 'patch-notation':
    case 'list-order':
    case 'list-default-limit':
    case 'missing-parent':
    case 'dangling-reference':
      return undefined;
  }
}

/** The keywords of JSON Schema that hold to a limit; undefined where none does. */
function keywordsOf(boundary: Boundary): JsonObject | undefined {
  switch (boundary.what) {
    case 'length': {
      const { accepted, refused, unit } = boundary;
      // maxLength counts characters (RFC 8259 §7), and says too much of a limit in bytes.
      return unit === 'bytes' ? undefined : { [accepted < refused ? 'maxLength' : 'minLength']: accepted };
    }
    case 'items': {
      const { accepted, refused } = boundary;
      return { [accepted < refused ? 'maxItems' : 'minItems']: accepted };
    }
    case 'value': {
      const accepted = toJsonNumber(boundary.accepted);
      const isMost = compareNumbers(accepted, toJsonNumber(boundary.refused)) < 0;
      return { [isMost ? 'maximum' : 'minimum']: accepted };
    }
    case 'blank':
      return { pattern: '\\S' };
    case 'white-space': {
      const start = boundary.at === 'end' ? '' : '(?!\\s)';
      const end = boundary.at === 'start' ? '' : '(?<!\\s)';
      return { pattern: `^${start}[\\s\\S]*${end}$` };
    }
    case 'body-size':
    case 'repeated':
    case 'characters':
      return undefined;
  }
}

/**
 * How a policy says what a limit is, given the status past it: a constraint on a property, a limit to a whole body,
 * or a property that has to be unique; undefined where no answer says it.
 */
export function answerOfBoundary(
  boundary: Boundary,
  status: number,
): { readonly question: QuestionId; readonly answer: JsonValue } | undefined {
  if (boundary.what === 'body-size') {
    const { accepted: bytes } = boundary;
    return status === 400 || status === 413
      ? { question: 'body-limit', answer: { bytes, status } }
      : undefined;
  }
  const [, property, ...below] = boundary.place.split('/');
  // A policy speaks of the members of the body alone.
  if (property === undefined || property === '*' || below.length > 0) return undefined;
  const name = property.replaceAll('~1', '/').replaceAll('~0', '~');
  if (boundary.what === 'repeated') return { question: 'unique-properties', answer: [name] };
  const keywords = keywordsOf(boundary);
  return keywords === undefined ? undefined : { question: 'constraints', answer: { [name]: keywords } };
}
