import type { Operation } from '../../contract/contract.ts';
import { declaresExactly, findSuccessResponse } from '../../contract/responses.ts';
import { findReadable } from '../../http/codecs/registry.ts';
import { headerValue } from '../../http/message.ts';
import { isAbsentStatus } from '../../http/status.ts';
import { appendPointer, resolvePointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { schemaAt, schemaProperties } from '../../schema/properties.ts';
import { type Check, defineCheck, exampleOf, plainExample } from '../define-check.ts';
import { describeReceived, describeRequest } from '../describe.ts';
import { isRefusedAsEnforced } from '../drift/evidence.ts';
import { quoteDocument, quoteRfc } from '../finding.ts';
import { classifyStatus, isOfPrecondition, isPassing } from '../classify/answer.ts';
import { undeclaredProperty, unusualSpelling } from '../classify/body.ts';
import { hasPlainBody, isFineAround, isTrusted } from '../classify/request.ts';
import type { BodyGrade, ClassifiedBody, CheckContext, CheckInput } from '../classify/subject.ts';

// Checks of rejections of valid requests. All of them require that the service accepts some plain request.

/** A scheme in its usual spelling, followed by more than one space. */
const onlySpaced = /^(?:Bearer|Basic) [ \t]/u;

/** Returns whether an update is empty; many services reject an empty update. */
function changesNothing({ kind }: Operation, body: ClassifiedBody): boolean {
  const value = kind.kind === 'update' && body.kind === 'valid' ? body.value : undefined;
  const own =
    value === undefined || kind.kind !== 'update'
      ? undefined
      : resolvePointer(value, appendPointer('', ...kind.request));
  return own !== undefined && isJsonObject(own) && Object.keys(own).length === 0;
}

/** The check `credential-spelling`. */
export const credentialSpellingCheck: Check<'credential-spelling'> = defineCheck({
  id: 'credential-spelling',
  levels: ['warning'],
  docs: {
    title: 'Valid credentials were refused for their spelling',
    place: 'RFC 9110 §11.1',
    finds: 'A valid token that is rejected because of the case of its scheme or a second space before it.',
    example: {
      request: 'POST /orders\nAuthorization: bearer the-good-token',
      answer: 'HTTP/1.1 401 Unauthorized',
    },
  },
  judge({ answer, request, operation, exchange }, context) {
    if (operation === undefined || !context.taken.has(operation.id)) return undefined;
    if (request.credentials !== 'good-unusual' || answer.kind === 'none' || isPassing(answer))
      return undefined;
    const { status } = answer.response;
    const wasPlain =
      request.body.kind === 'not-expected' ||
      (hasPlainBody(request) && !changesNothing(operation, request.body));
    // 401 is about credentials, whatever the rest of the request is (RFC 9110 §15.5.2).
    const isOfCredentials = status === 401 || (wasPlain && request.key !== 'sent');
    if (!isOfCredentials || status < 300 || status >= 500) return undefined;
    const isSpaced = onlySpaced.test(headerValue(exchange.request.headers, 'authorization')?.trim() ?? '');
    return {
      clause: isSpaced
        ? quoteRfc('RFC 9110 §11.4', 'credentials = auth-scheme [ 1*SP ( token68 / #auth-param ) ]')
        : quoteRfc(
            'RFC 9110 §11.1',
            'It uses a case-insensitive token to identify the authentication scheme',
          ),
      expected: isSpaced
        ? 'a valid token is accepted with any number of spaces before it'
        : 'a valid token is accepted with its scheme in any case',
      received: describeReceived(answer),
      cause: 'turned away',
      // A service that compares the whole field rejects both; so the case of the scheme represents both.
      ...(isSpaced ? { trigger: 'two spaces before the token' } : {}),
    };
  },
});

/** The check `media-type-spelling`. */
export const mediaTypeSpellingCheck: Check<'media-type-spelling'> = defineCheck({
  id: 'media-type-spelling',
  levels: ['warning'],
  docs: {
    title: 'A declared media type was refused for its spelling',
    place: 'RFC 9110 §8.3.1',
    finds:
      'The declared media type is rejected because of its case, a charset of UTF-8, or the space around a semicolon or its absence.',
    example: {
      request: 'POST /orders\nContent-Type: application/json; charset=utf-8\n\n{"id": 7}',
      answer: 'HTTP/1.1 415 Unsupported Media Type',
    },
  },
  judge({ answer, request, operation, exchange }, context) {
    if (operation === undefined || !context.taken.has(operation.id) || answer.kind === 'none') {
      return undefined;
    }
    if (isPassing(answer)) return undefined;
    const isOtherwiseFine =
      hasPlainBody(request) &&
      isTrusted(request) &&
      request.key !== 'sent' &&
      !changesNothing(operation, request.body);
    const isOnlySpelling = request.mediaTypeSpelling === 'unusual' && isOtherwiseFine;
    const isRefused = classifyStatus(answer) === 'refused' || answer.response.status === 415;
    if (!isOnlySpelling || !isRefused) return undefined;
    const hasParameters = headerValue(exchange.request.headers, 'content-type')?.includes(';') === true;
    return {
      clause: hasParameters
        ? quoteRfc('RFC 9110 §5.6.6', 'parameters = *( OWS ";" OWS [ parameter ] )')
        : quoteRfc('RFC 9110 §8.3.1', 'The type and subtype tokens are case-insensitive'),
      expected: 'the declared media type is accepted in any spelling',
      received: describeReceived(answer),
      cause: 'refused',
    };
  },
});

/**
 * Not reported: a declared 404 or 409, which is about stored data; an id fixed by the case, as it may exist; undeclared properties, which have a policy behaviour;
 * colliding ids, which have a check; and rejections that the policy specifies.
 */
export const undeclaredConstraintCheck: Check<'undeclared-constraint'> = defineCheck({
  id: 'undeclared-constraint',
  levels: ['warning'],
  docs: {
    title: 'A valid body was refused: the service has a constraint that the document does not declare',
    place: 'the schema of the request body, or the operation',
    finds:
      'With a declared error, the service rejects a request that the document allows, though it accepts plain requests. A declared 404 or 409 is about stored data and is not reported. The run narrows the limit down to the largest accepted and the smallest rejected value.',
    example: {
      request: exampleOf('{"id": 7, "note": "(256 letters)"}'),
      answer: 'HTTP/1.1 400 Bad Request',
    },
  },
  judge(subject, context) {
    const { answer, request, operation } = subject;
    const { body } = request;
    if (operation === undefined || !context.taken.has(operation.id)) return undefined;
    if (
      body.kind !== 'valid' ||
      body.grade.kind === 'ambiguous' ||
      isAboutUndeclared(body.grade) ||
      !isFineAround(request) ||
      request.mediaTypeSpelling === 'unusual' ||
      (request.key !== 'none' && request.key !== 'allocated') ||
      classifyStatus(answer) !== 'refused' ||
      speaksOfItem(subject) ||
      speaksOfStored(subject) ||
      isOfPrecondition(subject) ||
      leavesRepresentation(operation, body, context) ||
      sendsReadOnly(operation, body.value) ||
      isRefusedAsEnforced(subject, context)
    ) {
      return undefined;
    }
    return {
      clause: quoteDocument(
        operation.requestBody?.pointer ?? operation.pointer,
        'its schema accepts the body',
      ),
      expected: `${changesNothing(operation, body) ? 'a change with nothing in it' : describeRequest(request)} is accepted, or the document declares the constraint`,
      received: describeReceived(answer),
      // The cause is independent of spelling and framing.
      cause: changesNothing(operation, body) ? 'a plain valid body' : describeRequest(request),
    };
  },
});

/** Returns whether a body has `readOnly` properties, which it SHOULD NOT (OpenAPI 3.1 §4.8.24.4). */
function sendsReadOnly(operation: Operation, value: JsonValue): boolean {
  const path = 'request' in operation.kind ? operation.kind.request : [];
  const own = resolvePointer(value, appendPointer('', ...path));
  const schema = findReadable(operation.requestBody?.media)?.schema?.schema;
  return [...schemaProperties(schemaAt(schema, path))].some(
    ([name, { readOnly }]) => readOnly && own !== undefined && isJsonObject(own) && Object.hasOwn(own, name),
  );
}

/** Returns whether the status reports a missing item, at the path or at the id in a replace or update. */
function speaksOfItem({ answer, operation }: CheckInput): boolean {
  const isMissing = answer.kind !== 'none' && isAbsentStatus(answer.response.status);
  const isInPath = operation?.path.segments.some(({ kind }) => kind !== 'literal') === true;
  return isMissing && (isInPath || operation?.kind.kind === 'replace' || operation?.kind.kind === 'update');
}

/**
 * Returns whether the status is a declared one for stored data: 409 for a value that must be unique, or 404 for a missing
 * item that the body names, as the path of a create names none.
 */
function speaksOfStored({ answer, operation }: CheckInput): boolean {
  if (answer.kind === 'none') return false;
  const { status } = answer.response;
  return (status === 409 || isAbsentStatus(status)) && declaresExactly(operation, status);
}

/**
 * Returns whether an update sets a value that is invalid in the representation of the item, though valid in the update.
 * It checks the schemas of its response, of creates and of reads, as the result must still be a valid item.
 */
function leavesRepresentation(
  operation: Operation,
  { value, exact }: Extract<ClassifiedBody, { readonly kind: 'valid' }>,
  { contract }: CheckContext,
): boolean {
  const { kind } = operation;
  if (kind.kind !== 'update' || kind.request.length > 0 || !isJsonObject(value)) return false;
  return [operation, ...contract.operations].some((each) => {
    const isAlike = 'resource' in each.kind && each.kind.resource === kind.resource;
    if (!isAlike || !('response' in each.kind)) return false;
    const isMade = each !== operation && 'request' in each.kind;
    const path = isMade && 'request' in each.kind ? each.kind.request : each.kind.response;
    const media = isMade ? each.requestBody?.media : findSuccessResponse(each)?.media;
    const schema = findReadable(media)?.schema;
    if (schema === undefined || path === undefined) return false;
    const shown = path.reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value);
    const own = Object.keys(value).map((name) => appendPointer('', ...path, name));
    return schema
      .validator({ formats: 'ignore', integers: 'by-value' })(shown, exact)
      .some(({ pointer }) => own.some((place) => pointer === place || pointer.startsWith(`${place}/`)));
  });
}

/** Returns whether undeclared properties are the only mutations of a body, besides its spelling. */
function isAboutUndeclared(grade: BodyGrade): boolean {
  if (grade.kind !== 'extreme') return false;
  const words = new Set(grade.mutations.map((mutation) => mutation.words));
  words.delete(unusualSpelling);
  return words.size === 1 && words.has(undeclaredProperty);
}

/** The run makes its findings, as it knows all requests that it sent. */
export const neverSucceedsCheck: Check<'never-succeeds'> = {
  id: 'never-succeeds',
  levels: ['violation'],
  docs: {
    title: 'No valid body was ever accepted',
    place: 'the schema of the request body',
    finds: 'The service accepts none of the plain bodies that its document allows.',
    example: { request: plainExample, answer: 'HTTP/1.1 400 Bad Request\n\n(for every body)' },
  },
};
