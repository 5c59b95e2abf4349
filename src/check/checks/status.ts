import type { Operation } from '../../contract/contract.ts';
import { undeclaredFinder } from '../../contract/list-parameters.ts';
import { findChildren } from '../../contract/relations.ts';
import { keptRole } from '../../contract/resources.ts';
import { findDeclaredSuccess, declaresExactly, declaresRefusal } from '../../contract/responses.ts';
import { createRouter } from '../../contract/router.ts';
import { headerValue } from '../../http/message.ts';
import { pathOf } from '../../http/path.ts';
import { isClientError } from '../../http/status.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';
import { type Check, defineCheck, exampleOf, plainExample } from '../define-check.ts';
import { describeBroadTrigger, describeReceived, describeRequest, describeTrigger } from '../describe.ts';
import {
  type CheckId,
  type Clause,
  listStatuses,
  quoteBehaviour,
  quoteResponses,
  quoteRfc,
} from '../finding.ts';
import { isTooDeep } from '../drift/evidence.ts';
import { asksForPrecondition, isOfPrecondition } from '../classify/answer.ts';
import { sentCursors } from '../classify/cursors.ts';
import type { CheckContext, CheckInput } from '../classify/subject.ts';

/** The check `status-range`. */
export const statusRangeCheck: Check<'status-range'> = defineCheck({
  id: 'status-range',
  docs: {
    title: 'A status was not an HTTP status',
    place: 'RFC 9110 §15',
    finds: 'A status below 100 or above 599.',
    example: { request: plainExample, answer: 'HTTP/1.1 999 No' },
  },
  judge({ answer }) {
    if (answer.kind === 'none' || (answer.response.status >= 100 && answer.response.status <= 599)) {
      return undefined;
    }
    return {
      clause: quoteRfc('RFC 9110 §15', 'Values outside the range 100..599 are invalid'),
      expected: 'a status from 100 to 599',
      received: describeReceived(answer),
      cause: String(answer.response.status),
    };
  },
});

/** The check `server-error`. */
export const serverErrorCheck: Check<'server-error'> = defineCheck({
  id: 'server-error',
  docs: {
    title: 'The service failed',
    place: 'RFC 9110 §15.6',
    finds:
      'Any 5xx response, unless the document declares that status. 501 is a correct response to a method that the document does not declare.',
    example: {
      request: exampleOf('{"id": 7, "note": "déjà vu"}'),
      answer: 'HTTP/1.1 500 Internal Server Error\nContent-Type: text/html',
    },
  },
  judge({ answer, operation: own, request, exchange }, { contract }) {
    if (answer.kind === 'none' || answer.response.status < 500 || answer.response.status > 599) {
      return undefined;
    }
    const { status } = answer.response;
    const { method, target } = exchange.request;
    // HEAD has the responses of GET (RFC 9110 §9.3.2).
    const operation =
      own ?? (method === 'HEAD' ? createRouter(contract)(pathOf(target))?.operations.get('GET') : undefined);
    // RFC 9110 §15.6.2
    if (declaresExactly(operation, status) || (operation === undefined && status === 501)) return undefined;
    return {
      clause: quoteRfc(
        'RFC 9110 §15.6',
        'The 5xx (Server Error) class of status code indicates that the server is aware that it has erred',
      ),
      expected: `a response other than a server error to ${describeRequest(request)}`,
      received: describeReceived(answer),
      cause: String(status),
      ...describeTrigger(request),
    };
  },
});

/** The check `undeclared-status`. */
export const undeclaredStatusCheck: Check<'undeclared-status'> = defineCheck({
  id: 'undeclared-status',
  levels: ['violation', 'warning', 'note'],
  docs: {
    title: 'A status is not declared',
    place: 'the `responses` of the operation',
    finds:
      'A status that the document does not declare. It is a note if the request explains it: by its credentials, media type, size, Accept, a repeated id, an undeclared query parameter of a list, or the delete of an item that has items below it. 428 is a note if the request lacks a declared precondition header. If the document declares no response to a broken request (one with a parameter that breaks its `format` counts), 400 and 422 are notes, and another 4xx is a warning. If it declares no success, 200, 201, 202 and 204 are notes, and another 2xx is a warning.',
    example: {
      request: plainExample,
      answer: 'HTTP/1.1 201 Created\n\n(the document declares 200 and 400)',
    },
  },
  judge(subject, context) {
    const { answer, operation, request } = subject;
    if (operation === undefined || answer.kind === 'none' || answer.declared !== undefined) return undefined;
    const { status } = answer.response;
    // Other checks report server errors and invalid statuses.
    if (status < 100 || status >= 500) return undefined;
    if (asksForPrecondition(subject)) {
      return {
        level: 'note',
        clause: quoteRfc(
          'RFC 6585 §3',
          'The 428 status code indicates that the origin server requires the request to be conditional',
        ),
        expected: 'any 4xx for a request without a declared precondition',
        received: describeReceived(answer),
        cause: 'without a precondition',
      };
    }
    // The client set the precondition, not the document (RFC 9110 §13.1).
    if (isOfPrecondition(subject) || isOfCursor(subject, context)) return undefined;
    const received = describeReceived(answer);
    // 404 may be about the item or about its parent.
    const namesItem =
      operation.path.segments.some(({ kind }) => kind !== 'literal') ||
      ['read', 'replace', 'update', 'delete', 'action'].includes(operation.kind.kind);
    const question =
      explainStatus(subject, context) ?? (status === 404 && namesItem ? 'other-operations' : undefined);
    if (question !== undefined) {
      return {
        level: 'note',
        clause: quoteBehaviour(question),
        expected: 'any of the answers that the question allows',
        received,
        cause: `${question} ${received}`,
      };
    }
    const { body } = request;
    // A document that declares no success does not specify its status.
    const isUnspecified = status < 300 && findDeclaredSuccess(operation) === undefined;
    const isBroken =
      // A body that cannot be checked may be broken: a form that ends too early, an empty file.
      ['invalid', 'malformed', 'other-media', 'unjudged'].includes(body.kind) ||
      request.invalidParameters.length > 0 ||
      // The service decides whether to assert formats.
      request.breaksFormat === true ||
      // Whether operations can be applied depends on the item (RFC 6902 §5, RFC 5789 §2.2).
      (operation.kind.kind === 'update' && body.kind === 'valid' && Array.isArray(body.value));
    // If a rejection is declared, rejecting an extreme body is only an undeclared constraint.
    const mayBeRefused = isBroken || (body.kind === 'valid' && body.grade.kind === 'extreme');
    const isLeftOpen = status >= 400 && mayBeRefused && !declaresRefusal(operation);
    // No response to a broken request is declared, and HTTP has these two for it (RFC 9110 §15.5.1, §15.5.21).
    const isUsual =
      (isUnspecified && plainSuccesses.has(status)) ||
      (isLeftOpen && isBroken && (status === 400 || status === 422));
    const level = isUnspecified || isLeftOpen ? 'warning' : 'violation';
    return {
      level: isUsual ? 'note' : level,
      clause: quoteResponses(operation),
      expected: `one of ${listStatuses(operation)} for ${describeRequest(request)}`,
      received,
      cause: String(status),
      ...describeBroadTrigger(request),
    };
  },
});

/** The successes that are usual if the document declares none (RFC 9110 §15.3). */
const plainSuccesses: ReadonlySet<number> = new Set([200, 201, 202, 204]);

/** Returns whether the service may reject a cursor that is from no response, as only it knows which exist. */
function isOfCursor({ answer, operation, exchange }: CheckInput, { cursors }: CheckContext): boolean {
  if (answer.kind === 'none' || operation === undefined) return false;
  const { status } = answer.response;
  return (
    [400, 404, 410, 422].includes(status) &&
    sentCursors(operation, exchange.request.target).some((cursor) => cursors?.has(cursor) !== true)
  );
}

/** Defines a check that a response with a status has the header field that an RFC requires. */
function defineFieldCheck<Id extends CheckId>(
  [status, field]: readonly [status: number, field: string],
  clause: Clause,
  definition: Pick<Check<Id>, 'id' | 'docs'>,
): Check<Id> {
  return defineCheck({
    ...definition,
    levels: ['warning'],
    judge({ answer }) {
      const isThere = answer.kind === 'none' || headerValue(answer.response.headers, field) !== undefined;
      return isThere || answer.response.status !== status
        ? undefined
        : {
            clause,
            expected: `${status} with ${field}`,
            received: `${status} without ${field}`,
            cause: `${status}`,
          };
    },
  });
}

/** The check `www-authenticate`. */
export const wwwAuthenticateCheck: Check<'www-authenticate'> = defineFieldCheck(
  [401, 'WWW-Authenticate'],
  quoteRfc(
    'RFC 9110 §11.6.1',
    'A server generating a 401 (Unauthorized) response MUST send a WWW-Authenticate header field',
  ),
  {
    id: 'www-authenticate',
    docs: {
      title: '401 came without WWW-Authenticate',
      place: 'RFC 9110 §11.6.1',
      finds: '401 without WWW-Authenticate.',
      example: { request: 'POST /orders\n\n(no Authorization)', answer: 'HTTP/1.1 401 Unauthorized' },
    },
  },
);

/** The check `allow`. */
export const allowCheck: Check<'allow'> = defineFieldCheck(
  [405, 'Allow'],
  quoteRfc('RFC 9110 §15.5.6', 'The origin server MUST generate an Allow header field in a 405 response'),
  {
    id: 'allow',
    docs: {
      title: '405 came without Allow',
      place: 'RFC 9110 §15.5.6',
      finds: '405 without Allow.',
      example: { request: 'DELETE /orders', answer: 'HTTP/1.1 405 Method Not Allowed' },
    },
  },
);

/** Statuses that are about something other than credentials, if it applies (RFC 9110 §15.5, RFC 6585 §4). */
const ofOthers: ReadonlySet<number> = new Set([406, 409, 411, 413, 415, 422, 429]);

/**
 * Returns the policy behaviour that explains an undeclared status: credentials, media types, sizes, repeated ids and
 * others. A document may leave these behaviours unspecified.
 */
function explainStatus(subject: CheckInput, context: CheckContext): BehaviourId | undefined {
  const { exchange, request, answer, operation, user } = subject;
  if (answer.kind === 'none') return undefined;
  const { status } = answer.response;
  const { body, credentials, key } = request;
  const isRefusal = (status === 400 || status === 422) && operation && keptRole(operation)?.kind === 'list';
  const isRejection = status >= 300 && status < 500;
  if (
    isRejection &&
    (credentials === 'missing' || credentials === 'other' || credentials === 'good-unusual')
  ) {
    return 'missing-credentials';
  }
  const mayBeBad = credentials === 'unjudged' && isRejection;
  if ((credentials === 'unknown-token' && isRejection) || (mayBeBad && !ofOthers.has(status))) {
    return user === undefined ? 'invalid-credentials' : 'items-of-others';
  }
  if (body.kind === 'other-media' && (status === 415 || status === 406)) return 'unsupported-media-type';
  if (request.mediaTypeSpelling === 'unusual' && status === 415) return 'unsupported-media-type';
  if (status === 413 && request.bodyBytes > Math.max(context.longestPlainBody, 1_024)) return 'body-limit';
  const limit = context.policy['body-limit'];
  if (context.enforced.has('body-limit') && status === limit.status && request.bodyBytes > limit.bytes) {
    return 'body-limit';
  }
  if (status === 400 && isTooDeep(subject, context)) return 'body-limit';
  if (status === 411 && request.framing === 'chunked') return 'body-limit';
  if (body.kind === 'valid' && body.grade.kind === 'ambiguous' && isClientError(status)) {
    return body.grade.questions[0] ?? 'constraints';
  }
  if (
    (key === 'sent' || key === 'chosen' || key === 'colliding') &&
    body.kind === 'valid' &&
    (isRejection || (key === 'sent' && status < 300))
  ) {
    return 'duplicate-key';
  }
  // If plain requests are accepted, 409 is about stored data: another property may have to be unique.
  const wasAccepted = operation !== undefined && context.taken.has(operation.id);
  const mayBeUnique =
    !context.enforced.has('unique-properties') || context.policy['unique-properties'].length > 0;
  if (status === 409 && body.kind === 'valid' && wasAccepted && mayBeUnique) return 'unique-properties';
  if (status === 409 && mayHoldOthers(operation, context)) return 'deleted-parent';
  if (isRefusal && undeclaredFinder(operation)(exchange.request.target) !== undefined) {
    return 'unknown-query-parameter';
  }
  if (status === 406 && request.accept !== 'met') return 'accept';
  if (status === 429 || status === 503) return 'rate-limit';
  return mayBeBad ? 'invalid-credentials' : undefined;
}

/** Returns whether an operation deletes items with children; the policy may let the service reject that. */
function mayHoldOthers(
  operation: Operation | undefined,
  { contract, policy, enforced }: CheckContext,
): boolean {
  if (operation === undefined || findChildren(operation, contract.operations).length === 0) return false;
  return !enforced.has('deleted-parent') || policy['deleted-parent'] === 'refuse';
}
