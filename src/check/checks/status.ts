import { headerValue } from '../../http/message.ts';
import type { QuestionId } from '../../policy/question.ts';
import { questions } from '../../policy/questions/index.ts';
import {
  describeBroadTrigger,
  describeReceived,
  describeRequest,
  describeTrigger,
  nameOperation,
} from '../describe.ts';
import { type Finding, type Level, listStatuses, quoteResponses } from '../finding.ts';
import { declaresRefusal } from '../reading/answer.ts';
import type { CheckContext, ExchangeCheck, Subject } from '../reading/subject.ts';

/** Finds a 405 without Allow (RFC 9110 §15.5.6); only advice. */
export const checkAllow: ExchangeCheck = (subject) => {
  const { answer } = subject;
  if (answer.kind === 'none' || answer.response.status !== 405) return undefined;
  if (headerValue(answer.response.headers, 'allow') !== undefined) return undefined;
  return {
    check: 'allow',
    level: 'advice',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 9110',
      section: '15.5.6',
      quote: 'The origin server MUST generate an Allow header field in a 405 response',
    },
    expected: '405 with Allow',
    received: '405 without Allow',
    cause: '405',
  };
};

/** Statuses that speak of something else than credentials, where there is that (RFC 9110 §15.5, RFC 6585 §4). */
const ofOthers: ReadonlySet<number> = new Set([406, 409, 411, 413, 415, 422, 429]);

/**
 * The question that an undeclared status answers: credentials, media types, sizes, repeated keys and the
 * like are matters of which a document that does not speak of them says nothing.
 *
 * @returns undefined where nothing in the request explains the status
 */
function explainStatus(
  { request, answer, operation }: Subject,
  context: CheckContext,
): QuestionId | undefined {
  if (answer.kind === 'none') return undefined;
  const { status } = answer.response;
  const { body, credentials, key } = request;
  const isClientError = status >= 400 && status < 500;
  const turnsAway = status >= 300 && status < 500;
  if (turnsAway && (credentials === 'missing' || credentials === 'other' || credentials === 'good-unusual')) {
    return 'missing-credentials';
  }
  const mayBeBad = credentials === 'unjudged' && turnsAway;
  if ((credentials === 'unknown-token' && turnsAway) || (mayBeBad && !ofOthers.has(status))) {
    return 'invalid-credentials';
  }
  if (body.kind === 'other-media' && (status === 415 || status === 406)) return 'unsupported-media-type';
  if (request.mediaTypeSpelling === 'unusual' && status === 415) return 'unsupported-media-type';
  if (status === 413 && request.bodyBytes > Math.max(context.longestPlainBody, 1_024)) return 'body-limit';
  const limit = context.policy['body-limit'];
  if (context.told.has('body-limit') && status === limit.status && request.bodyBytes > limit.bytes) {
    return 'body-limit';
  }
  if (status === 411 && request.framing === 'chunked') return 'body-limit';
  if (body.kind === 'valid' && body.grade.kind === 'contested' && isClientError) {
    return body.grade.questions[0] ?? 'constraints';
  }
  if (
    (key === 'sent' || key === 'chosen' || key === 'twin') &&
    body.kind === 'valid' &&
    (turnsAway || (key === 'sent' && status < 300))
  ) {
    return 'duplicate-key';
  }
  // Where plain requests are taken, 409 speaks of what there is already: another property may have to be unique.
  const isTaken = operation !== undefined && context.taken.has(operation.id);
  const mayBeUnique =
    !context.told.has('unique-properties') || context.policy['unique-properties'].length > 0;
  if (status === 409 && body.kind === 'valid' && isTaken && mayBeUnique) return 'unique-properties';
  if (status === 406 && request.accept !== 'met') return 'accept';
  if (status === 429 || status === 503) return 'rate-limit';
  return mayBeBad ? 'invalid-credentials' : undefined;
}

/**
 * Finds a 5xx: whatever is sent, a service that fails has broken its contract, unless the document declares
 * that very status. 501 is an honest answer to a method that is not declared (RFC 9110 §15.6.2).
 *
 * @example `500 text/html` for a name with a character past ASCII
 */
export const checkServerError: ExchangeCheck = (subject) => {
  const { answer, operation, request } = subject;
  if (answer.kind === 'none' || answer.response.status < 500 || answer.response.status > 599) {
    return undefined;
  }
  const { status } = answer.response;
  const declared = operation?.responses.some(
    (response) => response.status.kind === 'exact' && response.status.status === status,
  );
  if (declared === true || (operation === undefined && status === 501)) return undefined;
  return {
    check: 'server-error',
    level: 'violation',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 9110',
      section: '15.6',
      quote:
        'The 5xx (Server Error) class of status code indicates that the server is aware that it has erred',
    },
    expected: `an answer other than a server error to ${describeRequest(request)}`,
    received: describeReceived(answer),
    cause: String(status),
    ...describeTrigger(request),
  };
};

/** Finds a status that is none: below 100 or above 599 (RFC 9110 §15). */
export const checkStatusRange: ExchangeCheck = (subject) => {
  const { answer } = subject;
  if (answer.kind === 'none' || (answer.response.status >= 100 && answer.response.status <= 599)) {
    return undefined;
  }
  return {
    check: 'status-range',
    level: 'violation',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 9110',
      section: '15',
      quote: 'Values outside the range 100..599 are invalid',
    },
    expected: 'a status from 100 to 599',
    received: describeReceived(answer),
    cause: String(answer.response.status),
  };
};

/**
 * Finds a status that the document does not declare and that nothing in the request explains. Where the
 * request does explain it (credentials, media type, size, a repeated key, …) it is an observation. A 404
 * under a path with parameters may speak of the parent, so it is one too.
 *
 * @example 201 where the document declares 200 and 400
 */
export const checkUndeclaredStatus: ExchangeCheck = (subject, context): Finding | undefined => {
  const { answer, operation, request } = subject;
  if (operation === undefined || answer.kind === 'none' || answer.declared !== undefined) return undefined;
  const { status } = answer.response;
  // A server error and what is no status have checks of their own.
  if (status < 100 || status >= 500) return undefined;
  const question = explainStatus(subject, context);
  const hasParent = operation.path.segments.some(({ kind }) => kind !== 'literal');
  if (question !== undefined || (status === 404 && hasParent)) {
    const id = question ?? 'other-operations';
    return {
      check: 'undeclared-status',
      level: 'observation',
      operation: nameOperation(subject),
      clause: { kind: 'policy', question: id, quote: questions[id].question },
      expected: 'any of the answers that the question allows',
      received: describeReceived(answer),
      cause: `${id} ${describeReceived(answer)}`,
    };
  }
  const isRefusal = status >= 400 && status < 500;
  const { body } = request;
  const mayBeRefused =
    ['invalid', 'malformed', 'other-media'].includes(body.kind) ||
    // With a refusal declared it would be an undeclared constraint, and no more.
    (body.kind === 'valid' && body.grade.kind === 'extreme') ||
    request.invalidParameters.length > 0;
  const level: Level = isRefusal && mayBeRefused && !declaresRefusal(operation) ? 'advice' : 'violation';
  return {
    check: 'undeclared-status',
    level,
    operation: nameOperation(subject),
    clause: quoteResponses(operation),
    expected: `one of ${listStatuses(operation)} for ${describeRequest(request)}`,
    received: describeReceived(answer),
    cause: String(status),
    ...describeBroadTrigger(request),
  };
};

/** Finds a 401 without WWW-Authenticate (RFC 9110 §11.6.1); only advice. */
export const checkWwwAuthenticate: ExchangeCheck = (subject) => {
  const { answer } = subject;
  if (answer.kind === 'none' || answer.response.status !== 401) return undefined;
  if (headerValue(answer.response.headers, 'www-authenticate') !== undefined) return undefined;
  return {
    check: 'www-authenticate',
    level: 'advice',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 9110',
      section: '11.6.1',
      quote: 'A server generating a 401 (Unauthorized) response MUST send a WWW-Authenticate header field',
    },
    expected: '401 with WWW-Authenticate',
    received: '401 without WWW-Authenticate',
    cause: '401',
  };
};
