import { isLimitAboveMaximum } from '../../contract/request-facts.ts';
import { appendPointer } from '../../json/pointer.ts';
import { describeSchemaProblem } from '../../schema/describe-problem.ts';
import { type Check, defineCheck, exampleOf } from '../define-check.ts';
import { describeReceived } from '../describe.ts';
import { quoteDocument, quoteBehaviour, quoteRfc } from '../finding.ts';
import { isAccepted } from '../classify/answer.ts';

// Checks of invalid requests that were accepted.

const taken = 'HTTP/1.1 200 OK';

const credentialWords = {
  missing: 'no credentials',
  other: 'credentials of another kind',
  'unknown-token': 'a token that nobody issued',
} as const;

/** The check `credentials-ignored`. */
export const credentialsIgnoredCheck: Check<'credentials-ignored'> = defineCheck({
  id: 'credentials-ignored',
  docs: {
    title: 'A request was accepted without valid credentials',
    place: 'the `security` of the operation',
    finds:
      'A request that is accepted without the credentials that its operation requires. An unknown token may be accepted if the policy has `accepted-tokens: any`.',
    example: { request: exampleOf('{"id": 7}\n\n(no Authorization)'), answer: taken },
  },
  judge({ answer, request: { credentials }, operation }, { policy, goodTokens }) {
    if (credentials !== 'missing' && credentials !== 'other' && credentials !== 'unknown-token') {
      return undefined;
    }
    if (operation === undefined || !isAccepted(answer)) return undefined;
    const anyToken = policy['accepted-tokens'] === 'any' || goodTokens.length === 0;
    if (credentials === 'unknown-token' && anyToken) return undefined;
    const schemes = operation.security.map((all) => all.map(({ name }) => name).join(' and ')).join(' or ');
    return {
      clause: quoteDocument(
        operation.security.length > 0 ? appendPointer('', 'security') : operation.pointer,
        `asks for ${schemes}`,
      ),
      expected: `a refusal of ${credentialWords[credentials]}`,
      received: describeReceived(answer),
      cause: credentialWords[credentials],
    };
  },
});

/** The check `invalid-body-accepted`. */
export const invalidBodyAcceptedCheck: Check<'invalid-body-accepted'> = defineCheck({
  id: 'invalid-body-accepted',
  docs: {
    title: 'A body that breaks its schema was accepted',
    place: 'the keyword of the schema that the body breaks',
    finds: 'A body that breaks its schema and is accepted.',
    example: { request: exampleOf('{"note": "without the id that the schema requires"}'), answer: taken },
  },
  judge({ answer, request: { body } }) {
    const [problem] = body.kind === 'invalid' ? body.problems : [];
    if (body.kind !== 'invalid' || problem === undefined || !isAccepted(answer)) return undefined;
    const words = describeSchemaProblem({ problem, value: body.value });
    const { pointer, keyword, params } = problem;
    const property = 'property' in params ? params.property : '';
    return {
      clause: quoteDocument(body.schema.placeOf(problem.schemaPointer), `${keyword}: ${words}`),
      expected: `a refusal, since ${words}`,
      received: describeReceived(answer),
      cause: `${pointer.replaceAll(/\/\d+/gu, '/*')} ${keyword} ${property}`.trim(),
    };
  },
});

/** The check `malformed-body-accepted`. */
export const malformedBodyAcceptedCheck: Check<'malformed-body-accepted'> = defineCheck({
  id: 'malformed-body-accepted',
  levels: ['violation', 'warning'],
  docs: {
    title: 'A malformed body was accepted',
    place: 'RFC 8259 §2 and §9, or the declared media type',
    finds:
      'A body is sent as JSON, XML or lines of JSON, cannot be parsed as such, and is accepted. If it is valid in a known extension of JSON, such as comments, it is a warning, as a parser may accept extensions.',
    example: { request: exampleOf('{"id": 7, "note": "two"'), answer: taken },
  },
  judge({ answer, request: { body, bodyBytes } }) {
    if (body.kind !== 'malformed' || !isAccepted(answer)) return undefined;
    const isEmpty = bodyBytes === 0;
    const { extension, reason } = body.explain();
    const isExtended = extension !== undefined;
    const notation = body.media?.range ?? 'JSON';
    const clause =
      body.media === undefined
        ? quoteRfc('RFC 8259 §2', 'A JSON text is a serialized value')
        : quoteDocument(body.media.pointer, `declares ${notation}`);
    return {
      level: isExtended ? 'warning' : 'violation',
      clause: isExtended
        ? quoteRfc(
            'RFC 8259 §9',
            'A JSON parser MUST accept all texts that conform to the JSON grammar. A JSON parser MAY accept non-JSON forms or extensions',
          )
        : clause,
      ...(isEmpty && { title: 'An empty body was accepted, though the document requires one' }),
      expected: 'a refusal',
      received: `${describeReceived(answer)} for ${isEmpty ? 'an empty body' : `a body that is not ${notation} (${extension ?? reason})`}`,
      cause: isExtended ? `extension: ${extension}` : `not ${notation}`,
    };
  },
});

/** The check `media-type-accepted`. */
export const mediaTypeAcceptedCheck: Check<'media-type-accepted'> = defineCheck({
  id: 'media-type-accepted',
  docs: {
    title: 'A body of an undeclared media type was accepted',
    place: 'the `content` of the request body',
    finds: 'Content of an undeclared media type that is not a valid body in any format, and is accepted.',
    example: { request: 'POST /orders\nContent-Type: text/plain\n\nhello', answer: taken },
  },
  judge({ answer, request: { body, bodyBytes }, operation }) {
    if (body.kind !== 'other-media' || body.carries || operation === undefined || !isAccepted(answer)) {
      return undefined;
    }
    const ranges = operation.requestBody?.media.map(({ range }) => range).join(' or ') ?? 'no content';
    const isEmpty = bodyBytes === 0 && operation.requestBody?.required === true;
    return {
      clause: quoteDocument(
        operation.requestBody?.pointer ?? operation.pointer,
        isEmpty ? 'requires a body' : `declares ${ranges}`,
      ),
      expected: isEmpty
        ? 'a refusal of a request without a body'
        : `a refusal of content that is not ${ranges}`,
      received: describeReceived(answer),
      cause: 'no body in any notation',
    };
  },
});

/** The check `invalid-parameter-accepted`. */
export const invalidParameterAcceptedCheck: Check<'invalid-parameter-accepted'> = defineCheck({
  id: 'invalid-parameter-accepted',
  docs: {
    title: 'A parameter that breaks its schema was accepted',
    place: 'the parameter of the operation',
    finds:
      'A parameter that breaks its schema, or is required and missing, and is accepted. `0`, `1`, `yes`, `no`, `on`, `off` and `True` may be booleans.',
    example: { request: 'GET /orders?limit=many', answer: taken },
  },
  judge({ answer, request, operation }, { enforced, policy }) {
    const isClamped = enforced.has('limit-above-maximum') && policy['limit-above-maximum'] === 'clamp';
    const problem = request.invalidParameters.find(
      (each) => each.mayBeBoolean !== true && !(isClamped && isLimitAboveMaximum(each, operation)),
    );
    if (problem === undefined || !isAccepted(answer)) return undefined;
    return {
      clause: quoteDocument(problem.pointer, problem.reason),
      expected: `a refusal, since ${problem.reason}`,
      received: describeReceived(answer),
      cause: `${problem.in} ${problem.name} ${problem.keyword}`,
    };
  },
});

/** Formats assert by convention only (JSON Schema 2020-12 validation §7.2.1); a policy may allow it. */
export const int64RangeCheck: Check<'int64-range'> = defineCheck({
  id: 'int64-range',
  levels: ['warning'],
  docs: {
    title: 'A number outside its format was accepted',
    place: 'policy `int64-range`; JSON Schema 2020-12 validation §7.2.1',
    finds: 'A number outside its `format` that is accepted. Formats are assertions by convention only.',
    example: { request: exampleOf('{"id": 9223372036854775808}'), answer: taken },
  },
  judge({ answer, request: { body } }, { enforced, policy }) {
    const isOutside =
      body.kind === 'valid' &&
      body.grade.kind === 'ambiguous' &&
      body.grade.questions.includes('int64-range');
    if (!isOutside || !isAccepted(answer)) return undefined;
    if (enforced.has('int64-range') && policy['int64-range'] === 'accept') return undefined;
    return {
      clause: quoteBehaviour('int64-range'),
      expected: 'a value outside its format is refused, or the format is left out of the document',
      received: describeReceived(answer),
      cause: 'accepted',
    };
  },
});
