import { isJsonObject } from '../json/is-json-object.ts';
import type { CheckContext } from './check-context.ts';
import { describeReceived, describeRequest, nameOperation } from './describe-subject.ts';
import { isRefusedAsTold } from './drift/is-refused-as-told.ts';
import { undeclaredProperty } from './undeclared-property.ts';
import { unusualSpelling } from './unusual-spelling.ts';
import type { ExchangeCheck, Subject } from './exchange-check.ts';
import type { BodyGrade } from './request-reading.ts';
import { classifyStatus } from './status-class.ts';

/** Whether all that is unusual in a body are properties that the document does not name, however they are spelled. */
function isAboutUndeclared(grade: BodyGrade): boolean {
  if (grade.kind !== 'extreme') {
    return false;
  }
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
  if (operation === undefined || !context.taken.has(operation.id)) {
    return undefined;
  }
  if (request.body.kind !== 'valid' || !isBlameless(subject)) {
    return undefined;
  }
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
