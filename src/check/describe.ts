import { headerValue } from '../http/message.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { Finding } from './finding.ts';
import { undeclaredProperty } from './classify/body.ts';
import type {
  ClassifiedResponse,
  BodyGrade,
  Mutation,
  ClassifiedRequest,
  CheckInput,
} from './classify/subject.ts';

/** Returns the operation's id. All undeclared requests share one name, as one place in a service handles them. */
export function nameOperation({ operation }: CheckInput): string {
  return operation?.id ?? 'undeclared operations';
}

/** Describes a response in words, without generated values: `500 text/html`, `no answer`. */
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

/** Describes a request in words, without generated values: `a plain valid body`, `no credentials`. */
export function describeRequest(request: ClassifiedRequest): string {
  if (request.credentials === 'missing') return 'a request without credentials';
  if (request.credentials === 'other') return 'a request with other credentials';
  if (request.credentials === 'unknown-token') return 'a request with an unknown token';
  if (request.invalidParameters.length > 0) return 'a request with an invalid parameter';
  if (request.accept === 'unmet') return 'a request with an Accept that cannot be met';
  if (request.accept === 'ambiguous') return 'a request with an Accept that is hard to read';
  return describeContent(request);
}

/** Returns how a request differs from a plain one, for a finding; nothing for a plain request. */
export function describeTrigger(request: ClassifiedRequest): Pick<Finding, 'trigger' | 'otherTriggers'> {
  const trigger = describeRequest(request);
  if (trigger === plainBody || trigger === noBody) return {};
  return { trigger, otherTriggers: listOtherTriggers(request, trigger) };
}

/**
 * Works like {@link describeTrigger}, but all wrong bodies have the same trigger. A service that rejects them all with
 * the same undeclared status has one cause, whether the bodies break the schema or are not JSON.
 */
export function describeBroadTrigger(request: ClassifiedRequest): Pick<Finding, 'trigger' | 'otherTriggers'> {
  return isWrong(request) && describeRequest(request) === describeContent(request)
    ? { trigger: 'a body that is not as declared' }
    : describeTrigger(request);
}

const noBody = 'a request without a body';
/** The words for a valid body with nothing unusual in it. */
export const plainBody = 'a plain valid body';
const repeatedKey = ' whose key was sent before';

/** Words of triggers, the most usual ones first. */
const usualWords: readonly RegExp[] = [
  /^$/u,
  /characters past ASCII|empty|null|zero|below one|an unusual text|like a number|white space/u,
  /^a plain valid body/u,
  /long|a number|an undeclared property/u,
  /breaks|not as declared|parameter|credentials|token|Accept/u,
  /spelling|spelled|parsers read/u,
];

/** Ranks a trigger by how usual it is: 0 is a plain request; NUL and bodies that are not JSON come last. */
export function rankTrigger(trigger = ''): number {
  const rank = usualWords.findIndex((form) => form.test(trigger));
  return rank === -1 ? usualWords.length : rank;
}

/** Returns whether no service could accept the body. */
function isWrong({ body }: ClassifiedRequest): boolean {
  return body.kind === 'malformed' || body.kind === 'invalid' || body.kind === 'other-media';
}

function listOtherTriggers(request: ClassifiedRequest, trigger: string): readonly string[] {
  const { body, key } = request;
  if (body.kind === 'valid') {
    const { grade } = body;
    const [, ...others] = grade.kind === 'extreme' ? grade.mutations : [];
    const around = describeContext(request);
    const isPlain = grade.kind === 'plain';
    return [
      // The mutation of the body and the unusual rest of the request may each be the trigger alone.
      ...(around === '' || isPlain ? [] : [`${plainBody}${around}`, describeGrade(grade)]),
      ...others.map((mutation) => `${describeMutation(mutation)}${around}`),
      ...(key === 'sent' && !isPlain ? [`${plainBody}${repeatedKey}`] : []),
    ];
  }
  // A body that no service could accept may be the trigger with good credentials too.
  if (trigger !== describeContent(request)) return isWrong(request) ? [describeContent(request)] : [];
  // If the trigger is a broken schema, another broken place in the body may be the cause.
  const problems = body.kind === 'invalid' ? body.problems : [];
  const places = problems.map(({ pointer }) => describeBroken(pointer));
  return [...new Set(places)].filter((other) => other !== trigger);
}

/** Describes a request by its body, key, media type spelling and framing. */
function describeContent(request: ClassifiedRequest): string {
  const { body } = request;
  switch (body.kind) {
    case 'not-expected':
      return noBody;
    case 'valid':
      return `${describeGrade(body.grade)}${describeContext(request)}`;
    case 'invalid':
      return describeBroken(body.problems[0]?.pointer ?? '');
    case 'malformed':
      return `a body that is not ${body.media?.range ?? 'JSON'}`;
    case 'other-media':
      return `a body ${body.mediaType === undefined ? 'without a media type' : 'in another media type'}`;
    case 'unjudged':
      return 'a request with a body';
  }
}

/** Describes the unusual parts of a request besides the body. */
function describeContext({ body, key, mediaTypeSpelling, framing }: ClassifiedRequest): string {
  // An unusual body is the more likely trigger. Its case may also fix an unusual id, which is then sent again each
  // time.
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
      return describeMutation(grade.mutations[0]);
    case 'ambiguous':
      return `a body that parsers read differently (${grade.reason})`;
  }
}

/** The names of undeclared properties are generated, so they are left out. */
function describeMutation({ words, place }: Mutation): string {
  return `a valid body with ${words}${words === undeclaredProperty ? '' : describePlace(place)}`;
}

function describeBroken(pointer: JsonPointer): string {
  return `a body that breaks its schema${describePlace(pointer)}`;
}

/** The index of a list item is generated, so it is replaced with a star. */
function describePlace(pointer: JsonPointer): string {
  return pointer === '' ? '' : ` at ${pointer.replaceAll(/\/\d+/gu, '/*')}`;
}
