import { headerValue } from '../http/message.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { Finding } from './finding.ts';
import { undeclaredProperty } from './reading/body.ts';
import type { ClassifiedResponse, BodyGrade, Oddity, RequestReading, CheckInput } from './reading/subject.ts';

/** The operation's id; whatever the document does not declare is one, as one place in a service answers it. */
export function nameOperation({ operation }: CheckInput): string {
  return operation?.id ?? 'undeclared operations';
}

/** What came, in words, free of generated values: `500 text/html`, `no answer`. */
export function describeReceived(answer: ClassifiedResponse): string {
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
  if (request.credentials === 'other') return 'a request with other credentials';
  if (request.credentials === 'unknown-token') return 'a request with an unknown token';
  if (request.invalidParameters.length > 0) return 'a request with an invalid parameter';
  if (request.accept === 'unmet') return 'a request with an Accept that cannot be met';
  if (request.accept === 'contested') return 'a request with an Accept that is hard to read';
  return describeContent(request);
}

/** What sets a request apart from a plain one, for a finding; nothing where it is plain. */
export function describeTrigger(request: RequestReading): Pick<Finding, 'trigger' | 'otherTriggers'> {
  const trigger = describeRequest(request);
  if (trigger === plainBody || trigger === noBody) return {};
  return { trigger, otherTriggers: listOtherTriggers(request, trigger) };
}

/**
 * As {@link describeTrigger}, but whatever is wrong with a body is one trigger: that a service answers such bodies with
 * a status of its own is one cause, wherever they break the schema, and whether they are JSON or not.
 */
export function describeBroadTrigger(request: RequestReading): Pick<Finding, 'trigger' | 'otherTriggers'> {
  return isWrong(request) && describeRequest(request) === describeContent(request)
    ? { trigger: 'a body that is not as declared' }
    : describeTrigger(request);
}

const noBody = 'a request without a body';
/** The words for a body that is nothing but valid. */
export const plainBody = 'a plain valid body';
const repeatedKey = ' whose key was sent before';

/** Words of triggers, the most usual ones first. */
const usualWords: readonly RegExp[] = [
  /^$/u,
  /characters past ASCII|empty|null|zero|below one|an unusual text|like a number|white space/u,
  /^a plain valid body/u,
  /long|a number|an undeclared property/u,
  /breaks|not as declared|parameter|credentials|token|Accept/u,
  /spelling|spelled|contested/u,
];

/** Ranks a trigger by how usual a request with it is: 0 is a plain request, NUL and bodies that are not JSON come last. */
export function rankTrigger(trigger = ''): number {
  const rank = usualWords.findIndex((form) => form.test(trigger));
  return rank === -1 ? usualWords.length : rank;
}

/** Whether nobody could take a body. */
function isWrong({ body }: RequestReading): boolean {
  return body.kind === 'malformed' || body.kind === 'invalid' || body.kind === 'other-media';
}

function listOtherTriggers(request: RequestReading, trigger: string): readonly string[] {
  const { body, key } = request;
  if (body.kind === 'valid') {
    const { grade } = body;
    const [, ...others] = grade.kind === 'extreme' ? grade.oddities : [];
    const around = describeSurroundings(request);
    const isPlain = grade.kind === 'plain';
    return [
      // Either of what is odd in the body and what is odd around it may do it without the other.
      ...(around === '' || isPlain ? [] : [`${plainBody}${around}`, describeGrade(grade)]),
      ...others.map((oddity) => `${describeOddity(oddity)}${around}`),
      ...(key === 'sent' && !isPlain ? [`${plainBody}${repeatedKey}`] : []),
    ];
  }
  // A body that nobody could take may do it, with good credentials too.
  if (trigger !== describeContent(request)) return isWrong(request) ? [describeContent(request)] : [];
  // What else of a body breaks its schema may be what does it, where that it breaks its schema is what does it.
  const problems = body.kind === 'invalid' ? body.problems : [];
  const places = problems.map(({ pointer }) => describeBroken(pointer));
  return [...new Set(places)].filter((other) => other !== trigger);
}

/** What kind of request it was by its body and what is around that. */
function describeContent(request: RequestReading): string {
  const { body } = request;
  switch (body.kind) {
    case 'not-expected':
      return noBody;
    case 'valid':
      return `${describeGrade(body.grade)}${describeSurroundings(request)}`;
    case 'invalid':
      return describeBroken(body.problems[0]?.pointer ?? '');
    case 'malformed':
      return 'a body that is not JSON';
    case 'other-media':
      return `a body ${body.mediaType === undefined ? 'without a media type' : 'in another media type'}`;
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

function describeGrade(grade: BodyGrade): string {
  switch (grade.kind) {
    case 'plain':
      return plainBody;
    case 'extreme':
      return describeOddity(grade.oddities[0]);
    case 'contested':
      return `a contested body (${grade.reason})`;
  }
}

/** The names of undeclared properties are generated, so they are left out. */
function describeOddity({ words, place }: Oddity): string {
  return `a valid body with ${words}${words === undeclaredProperty ? '' : describePlace(place)}`;
}

function describeBroken(pointer: JsonPointer): string {
  return `a body that breaks its schema${describePlace(pointer)}`;
}

/** Which item of a list it is, is generated. */
function describePlace(pointer: JsonPointer): string {
  return pointer === '' ? '' : ` at ${pointer.replaceAll(/\/\d+/gu, '/*')}`;
}
