import { headerValue } from '../http/message.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { Finding } from './finding.ts';
import { undeclaredProperty } from './reading/body.ts';
import type { AnswerReading, Oddity, RequestReading, Subject } from './reading/subject.ts';

const plainBody = 'a plain valid body';
const repeatedKey = ' whose key was sent before';
const brokenSchema = 'a body that breaks its schema';
const notJson = 'a body that is not JSON';
const withoutMediaType = 'a body without a media type';
const inOtherMedia = 'a body in another media type';

/** The operation's id; whatever the document does not declare is one, as one place in a service answers it. */
export function nameOperation({ operation }: Subject): string {
  return operation?.id ?? 'undeclared operations';
}

/** What came, in words, free of generated values: `500 text/html`, `no answer`. */
export function describeReceived(answer: AnswerReading): string {
  if (answer.kind === 'none') {
    switch (answer.answer.kind) {
      case 'timed-out':
        return `no answer within ${answer.answer.afterMs} ms`;
      case 'dropped':
        return `a dropped connection (${answer.answer.reason})`;
      case 'not-http':
        return `bytes that are not HTTP (${answer.answer.reason})`;
      case 'unreachable':
        return `no connection (${answer.answer.reason})`;
    }
  }
  const type = headerValue(answer.response.headers, 'content-type');
  return `${answer.response.status}${type === undefined ? '' : ` ${type}`}`;
}

/** What kind of request it was, in words, free of generated values: `a plain valid body`, `no credentials`. */
export function describeRequest(request: RequestReading): string {
  if (request.credentials === 'missing') return 'a request without credentials';
  if (request.credentials === 'other' || request.credentials === 'unknown-token') {
    return `a request with ${request.credentials === 'other' ? 'other credentials' : 'an unknown token'}`;
  }
  if (request.invalidParameters.length > 0) return 'a request with an invalid parameter';
  if (request.accept !== 'met') {
    return `a request with an Accept that ${request.accept === 'unmet' ? 'cannot be met' : 'is hard to read'}`;
  }
  return describeContent(request);
}

/** What kind of request it was by its body and what is around that. */
function describeContent(request: RequestReading): string {
  switch (request.body.kind) {
    case 'not-expected':
      return 'a request without a body';
    case 'valid':
      return `${describeGrade(request.body.grade)}${describeSurroundings(request)}`;
    case 'invalid':
      return `${brokenSchema}${placeOf(withoutIndices(request.body.problems[0]?.pointer ?? ''))}`;
    case 'malformed':
      return notJson;
    case 'other-media':
      return request.body.mediaType === undefined ? withoutMediaType : inOtherMedia;
    case 'unjudged':
      return 'a request with a body';
  }
}

/** What is not plain around a body. */
function describeSurroundings({ body, key, mediaTypeSpelling, framing }: RequestReading): string {
  // Of an unusual body the unusual is the more likely trigger; and its key may be the unusual, fixed by the
  // case, so that it is sent again whenever the case is.
  const isRepeated = key === 'sent' && body.kind === 'valid' && body.grade.kind === 'plain';
  return [
    isRepeated ? repeatedKey : '',
    mediaTypeSpelling === 'unusual' ? ' with its media type spelled otherwise' : '',
    framing === 'chunked' ? ' in chunks' : '',
    framing === 'several-packets' ? ' in several packets' : '',
  ].join('');
}

/** What sets a request apart from a plain one, for a finding; nothing where it is plain. */
export function describeTrigger(request: RequestReading): Pick<Finding, 'trigger' | 'otherTriggers'> {
  const words = describeRequest(request);
  if (words === plainBody || words === 'a request without a body') return {};
  return { trigger: words, otherTriggers: listOtherTriggers(request, words) };
}

/**
 * As {@link describeTrigger}, but whatever is wrong with a body is one trigger: that a service answers such bodies with
 * a status of its own is one cause, wherever they break the schema, and whether they are JSON or not.
 */
export function describeBroadTrigger(request: RequestReading): Pick<Finding, 'trigger' | 'otherTriggers'> {
  const words = describeRequest(request);
  const isWrong = [notJson, withoutMediaType, inOtherMedia].includes(words) || words.startsWith(brokenSchema);
  return isWrong ? { trigger: 'a body that is not as declared' } : describeTrigger(request);
}

function listOtherTriggers(request: RequestReading, words: string): readonly string[] {
  const { body, key } = request;
  if (body.kind === 'valid') {
    const [, ...others] = body.grade.kind === 'extreme' ? body.grade.oddities : [];
    const around = describeSurroundings(request);
    // Either of what is odd in the body and what is odd around it may do it without the other.
    const apart =
      around === '' || body.grade.kind === 'plain'
        ? []
        : [`${plainBody}${around}`, describeGrade(body.grade)];
    return [
      ...apart,
      ...others.map((oddity) => `${describeOddity(oddity)}${around}`),
      ...(key === 'sent' && body.grade.kind !== 'plain' ? [`${plainBody}${repeatedKey}`] : []),
    ];
  }
  // A body that nobody could take may do it, with good credentials too.
  if (words !== describeContent(request)) {
    const isWrong = body.kind === 'malformed' || body.kind === 'invalid' || body.kind === 'other-media';
    return isWrong ? [describeContent(request)] : [];
  }
  // What else of a body breaks its schema may be what does it, where that it breaks its schema is what does it.
  const problems = body.kind === 'invalid' ? body.problems : [];
  const places = problems.map(({ pointer }) => `${brokenSchema}${placeOf(withoutIndices(pointer))}`);
  return [...new Set(places)].filter((other) => other !== words);
}

/** Which item of a list it is, is generated. */
function withoutIndices(pointer: JsonPointer): JsonPointer {
  return pointer.replaceAll(/\/\d+/gu, '/*');
}

function placeOf(pointer: string | undefined): string {
  return pointer === undefined || pointer === '' ? '' : ` at ${pointer}`;
}

/** The names of undeclared properties and the places in lists are generated, so they are left out. */
function describeOddity({ words, place }: Oddity): string {
  const where = words === undeclaredProperty ? '' : placeOf(withoutIndices(place));
  return `a valid body with ${words}${where}`;
}

function describeGrade(grade: Extract<RequestReading['body'], { kind: 'valid' }>['grade']): string {
  switch (grade.kind) {
    case 'plain':
      return plainBody;
    case 'extreme':
      return describeOddity(grade.oddities[0]);
    case 'contested':
      return `a contested body (${grade.reason})`;
  }
}
