import { appendPointer } from '../../json/pointer.ts';
import { describeSchemaProblem } from '../../schema/describe-problem.ts';
import { describeReceived, nameOperation } from '../describe.ts';
import { classifyStatus } from '../reading/answer.ts';
import type { ExchangeCheck } from '../reading/subject.ts';

const words = {
  missing: 'no credentials',
  other: 'credentials of another kind',
  'unknown-token': 'a token that nobody issued',
} as const;

/**
 * Finds a request that is let in without the credentials that its operation asks for
 * (OpenAPI 3.1 §4.8.30).
 *
 * @example 200 for a request without Authorization
 */
export const checkCredentialsIgnored: ExchangeCheck = (subject, context) => {
  const { answer, request, operation } = subject;
  const { credentials } = request;
  if (credentials !== 'missing' && credentials !== 'other' && credentials !== 'unknown-token') {
    return undefined;
  }
  if (operation === undefined || classifyStatus(answer) !== 'accepted') return undefined;
  const anyToken = context.policy['accepted-tokens'] === 'any' || context.goodTokens.length === 0;
  if (credentials === 'unknown-token' && anyToken) return undefined;
  const schemes = operation.security.map((all) => all.map(({ name }) => name).join(' and ')).join(' or ');
  return {
    check: 'credentials-ignored',
    level: 'violation',
    operation: nameOperation(subject),
    clause: {
      kind: 'document',
      pointer: operation.security.length > 0 ? appendPointer('', 'security') : operation.pointer,
      quote: `asks for ${schemes}`,
    },
    expected: `a refusal of ${words[credentials]}`,
    received: describeReceived(answer),
    cause: words[credentials],
  };
};

/**
 * Finds a body that breaks its schema and is taken all the same.
 *
 * @example 200 for a body without a property that the schema requires
 */
export const checkInvalidBodyAccepted: ExchangeCheck = (subject) => {
  const { answer, request, operation } = subject;
  if (request.body.kind !== 'invalid' || operation === undefined || classifyStatus(answer) !== 'accepted') {
    return undefined;
  }
  const [problem] = request.body.problems;
  if (problem === undefined) return undefined;
  const words = describeSchemaProblem({ problem, value: request.body.value });
  return {
    check: 'invalid-body-accepted',
    level: 'violation',
    operation: nameOperation(subject),
    clause: {
      kind: 'document',
      pointer: request.body.schema.placeOf(problem.schemaPointer),
      quote: `${problem.keyword}: ${words}`,
    },
    expected: `a refusal, since ${words}`,
    received: describeReceived(answer),
    cause:
      `${problem.pointer.replaceAll(/\/\d+/gu, '/*')} ${problem.keyword} ${'property' in problem.params ? problem.params.property : ''}`.trim(),
  };
};

/**
 * Finds a parameter that its schema does not accept, or that is required and missing, and that is taken
 * all the same.
 */
export const checkInvalidParameterAccepted: ExchangeCheck = (subject) => {
  const { answer, request, operation } = subject;
  const [problem] = request.invalidParameters;
  if (problem === undefined || operation === undefined || classifyStatus(answer) !== 'accepted') {
    return undefined;
  }
  return {
    check: 'invalid-parameter-accepted',
    level: 'violation',
    operation: nameOperation(subject),
    clause: { kind: 'document', pointer: problem.pointer, quote: problem.reason },
    expected: `a refusal, since ${problem.reason}`,
    received: describeReceived(answer),
    cause: `${problem.in} ${problem.name} ${problem.keyword}`,
  };
};

/**
 * Finds a body that is sent as JSON, is none, and is taken all the same. Where it reads as a valid body
 * under a known extension of JSON, that is advice: a parser may accept extensions (RFC 8259 §9).
 *
 * @example 200 for a body whose last bracket is missing
 */
export const checkMalformedBodyAccepted: ExchangeCheck = (subject) => {
  const { answer, request } = subject;
  if (request.body.kind !== 'malformed' || classifyStatus(answer) !== 'accepted') return undefined;
  const { extension, reason } = request.body.explain();
  return {
    check: 'malformed-body-accepted',
    level: extension === undefined ? 'violation' : 'advice',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 8259',
      section: extension === undefined ? '2' : '9',
      quote:
        extension === undefined
          ? 'A JSON text is a serialized value'
          : 'A JSON parser MUST accept all texts that conform to the JSON grammar. A JSON parser MAY accept non-JSON forms or extensions',
    },
    expected: 'a refusal',
    received: `${describeReceived(answer)} for a body that is not JSON (${extension ?? reason})`,
    cause: extension === undefined ? 'not JSON' : `extension: ${extension}`,
  };
};

/**
 * Finds content of a media type that the document does not declare, that holds no valid body in any
 * notation, and that is taken all the same.
 */
export const checkMediaTypeAccepted: ExchangeCheck = (subject) => {
  const { answer, request, operation } = subject;
  const isOther = request.body.kind === 'other-media' && !request.body.carries;
  if (!isOther || operation === undefined || classifyStatus(answer) !== 'accepted') return undefined;
  const ranges = operation.requestBody?.media.map(({ range }) => range).join(' or ') ?? 'no content';
  return {
    check: 'media-type-accepted',
    level: 'violation',
    operation: nameOperation(subject),
    clause: {
      kind: 'document',
      pointer: operation.requestBody?.pointer ?? operation.pointer,
      quote: `declares ${ranges}`,
    },
    expected: `a refusal of content that is not ${ranges}`,
    received: describeReceived(answer),
    cause: 'no body in any notation',
  };
};
