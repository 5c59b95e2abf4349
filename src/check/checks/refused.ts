import { headerValue } from '../../http/message.ts';
import { isJsonObject } from '../../json/value.ts';
import { describeReceived, describeRequest, nameOperation } from '../describe.ts';
import { isRefusedAsTold } from '../drift/evidence.ts';
import { classifyStatus } from '../reading/answer.ts';
import { undeclaredProperty, unusualSpelling } from '../reading/body.ts';
import type { BodyGrade, CheckContext, ExchangeCheck, Subject } from '../reading/subject.ts';

/** A scheme as everybody writes it, and more than one space behind it. */
const onlySpaced = /^(?:Bearer|Basic) [ \t]/u;

const spelledScheme = {
  section: '11.1',
  quote: 'It uses a case-insensitive token to identify the authentication scheme',
};
const spacedToken = {
  section: '11.4',
  quote: 'credentials = auth-scheme [ 1*SP ( token68 / #auth-param ) ]',
};

/**
 * Advises on a good token that is turned away for the case of its scheme, which is not significant, or for
 * a second space (RFC 9110 §11.1, §11.4).
 *
 * @example 401 for `bearer` in lower case
 */
export const checkCredentialSpelling: ExchangeCheck = (subject, context) => {
  const { answer, request, operation } = subject;
  if (operation === undefined || !context.taken.has(operation.id)) return undefined;
  if (request.credentials !== 'good-unusual' || answer.kind === 'none') return undefined;
  const { status } = answer.response;
  const wasPlain =
    request.body.kind === 'not-expected' ||
    (request.body.kind === 'valid' && request.body.grade.kind === 'plain');
  // 401 is about credentials, whatever else there is to the request (RFC 9110 §15.5.2).
  const isOfCredentials = status === 401 || (wasPlain && request.key !== 'sent');
  if (!isOfCredentials || classifyStatus(answer) === 'accepted' || status < 300 || status >= 500) {
    return undefined;
  }
  const { headers } = subject.exchange.request;
  const isSpaced = onlySpaced.test(headerValue(headers, 'authorization')?.trim() ?? '');
  return {
    check: 'credential-spelling',
    level: 'advice',
    operation: nameOperation(subject),
    clause: { kind: 'rfc', name: 'RFC 9110', ...(isSpaced ? spacedToken : spelledScheme) },
    expected: isSpaced
      ? 'the good token is taken, however many spaces stand before it'
      : 'the good token is taken, however its scheme is spelled',
    received: describeReceived(answer),
    cause: 'turned away',
    // What compares the whole field finds no token after either; so the case of the scheme stands for both.
    ...(isSpaced ? { trigger: 'two spaces before the token' } : {}),
  };
};

/**
 * Advises on a number outside its format that is taken: `format` asserts by convention alone
 * (JSON Schema 2020-12 validation §7.2.1). Where the policy says so, it is no finding.
 *
 * @example 200 for the id 9223372036854775808, whose format is int64
 */
export const checkInt64Range: ExchangeCheck = (subject, context) => {
  const { answer, request, operation } = subject;
  const { body } = request;
  const isOutside =
    body.kind === 'valid' && body.grade.kind === 'contested' && body.grade.questions.includes('int64-range');
  if (!isOutside || operation === undefined || classifyStatus(answer) !== 'accepted') return undefined;
  if (context.told.has('int64-range') && context.policy['int64-range'] === 'accept') return undefined;
  return {
    check: 'int64-range',
    level: 'advice',
    operation: nameOperation(subject),
    clause: {
      kind: 'policy',
      question: 'int64-range',
      quote: 'Are integers outside the range of their format refused?',
    },
    expected: 'a value outside its format is refused, or the format is left out of the document',
    received: describeReceived(answer),
    cause: 'accepted',
  };
};

/**
 * Advises on a declared media type that is refused for its case or for a charset of UTF-8
 * (RFC 9110 §8.3.1: type and subtype are case-insensitive).
 *
 * @example 415 for `application/json; charset=utf-8`
 */
export const checkMediaTypeSpelling: ExchangeCheck = (subject, context) => {
  const { answer, request, operation } = subject;
  if (operation === undefined || !context.taken.has(operation.id)) return undefined;
  const isPlain = request.body.kind === 'valid' && request.body.grade.kind === 'plain';
  const isTrusted = request.credentials === 'good' || request.credentials === 'not-required';
  if (
    request.mediaTypeSpelling !== 'unusual' ||
    !isPlain ||
    !isTrusted ||
    request.key === 'sent' ||
    answer.kind === 'none'
  ) {
    return undefined;
  }
  if (classifyStatus(answer) !== 'refused' && answer.response.status !== 415) return undefined;
  return {
    check: 'media-type-spelling',
    level: 'advice',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 9110',
      section: '8.3.1',
      quote: 'The type and subtype tokens are case-insensitive',
    },
    expected: 'the declared media type is taken, however it is spelled',
    received: describeReceived(answer),
    cause: 'refused',
  };
};

/** Whether all that is unusual in a body are properties that the document does not name, however they are spelled. */
function isAboutUndeclared(grade: BodyGrade): boolean {
  if (grade.kind !== 'extreme') return false;
  const words = new Set(grade.oddities.map((oddity) => oddity.words));
  words.delete(unusualSpelling);
  return words.size === 1 && words.has(undeclaredProperty);
}

/** Whether nothing but its values could be held against a request. */
function isBlameless({ request }: Subject): boolean {
  const { credentials, body, key, accept, invalidParameters, mediaTypeSpelling } = request;
  return (
    (credentials === 'good' || credentials === 'not-required') &&
    (body.kind === 'valid' || body.kind === 'not-expected') &&
    key !== 'sent' &&
    accept === 'met' &&
    invalidParameters.length === 0 &&
    mediaTypeSpelling === 'usual'
  );
}

/** Whether a body gives a property that has to be unique, as the run was told. */
function mayRepeatUnique({ request: { body } }: Subject, { policy, told }: CheckContext): boolean {
  const value = body.kind === 'valid' ? body.value : undefined;
  return (
    told.has('unique-properties') &&
    isJsonObject(value) &&
    policy['unique-properties'].some((name) => Object.hasOwn(value, name))
  );
}

/**
 * Advises on a request that the document allows and the service refuses with a declared error: it holds to
 * a constraint that the document does not name. A key that the case fixed may exist already, so its refusal
 * says nothing; that of properties that the document does not name answers a question that it leaves open; that of a
 * twin says that the two are one to the service, which is a finding of its own; what the run was told is refused is no
 * news; and a value that it was told may exist only once may exist already.
 *
 * @example 400 for a name that is longer than the service's column
 */
export const checkUndeclaredConstraint: ExchangeCheck = (subject, context) => {
  const { answer, request, operation } = subject;
  if (operation === undefined || !context.taken.has(operation.id)) return undefined;
  if (request.body.kind !== 'valid' || !isBlameless(subject)) return undefined;
  const { grade } = request.body;
  if (
    grade.kind === 'contested' ||
    isAboutUndeclared(grade) ||
    request.key === 'chosen' ||
    request.key === 'twin' ||
    classifyStatus(answer) !== 'refused' ||
    isRefusedAsTold(subject, context) ||
    mayRepeatUnique(subject, context)
  ) {
    return undefined;
  }
  return {
    check: 'undeclared-constraint',
    level: 'advice',
    operation: nameOperation(subject),
    clause: {
      kind: 'document',
      pointer: operation.requestBody?.pointer ?? operation.pointer,
      quote: 'its schema accepts the body',
    },
    expected: `${describeRequest(request)} is taken, or the document names the constraint`,
    received: describeReceived(answer),
    cause: describeRequest(request),
  };
};
