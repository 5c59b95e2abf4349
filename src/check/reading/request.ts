import { findInvalidParameters, type InvalidParameter } from '../../contract/check-parameters.ts';
import type { Operation, SecurityScheme } from '../../contract/contract.ts';
import { parseCookies, toParameterSource } from '../../contract/read-parameters.ts';
import { isSuccess } from '../../contract/responses.ts';
import { essenceOf, findMedia, parseMediaType, weighMedia } from '../../http/media-type.ts';
import { type Framing, headerValue, type HttpRequest } from '../../http/message.ts';
import { type ExactNumber, numberKey } from '../../json/exact-number.ts';
import { memberAt } from '../../json/pointer.ts';
import { isJsonNumber } from '../../json/value.ts';
import type { ValidationMode } from '../../schema/compile.ts';
import { statusOf } from './answer.ts';
import { readBody } from './body.ts';
import type { BodyReading, CredentialsReading, CheckedExchange, RequestReading } from './subject.ts';

/**
 * Reads a request as the operation that it reached takes it, from the bytes that left: what was sent, not what was meant.
 *
 * @param input.goodTokens - the tokens (for basic authentication `user:password`) that are known to be accepted
 */
export function readRequest(input: {
  readonly request: HttpRequest;
  readonly operation: Operation | undefined;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly goodTokens: readonly string[];
  readonly framing: Framing;
}): Omit<RequestReading, 'key'> {
  const { request, operation, framing } = input;
  const bodyBytes = request.body?.length ?? 0;
  if (operation === undefined) {
    return {
      credentials: 'not-required',
      body: { kind: 'not-expected' },
      bodyBytes,
      accept: 'met',
      invalidParameters: [],
      mediaTypeSpelling: 'usual',
      framing,
    };
  }
  return {
    credentials: readCredentials(request, operation, input.goodTokens),
    body: readBody(request, operation.requestBody),
    bodyBytes,
    accept: readAccept(headerValue(request.headers, 'accept'), operation),
    invalidParameters: findParameterProblems(request, operation.parameters, {
      path: input.pathParameters,
      formats: 'ignore',
    }),
    mediaTypeSpelling: readMediaTypeSpelling(request, operation),
    framing,
  };
}

function findParameterProblems(
  request: HttpRequest,
  parameters: Operation['parameters'],
  { path, formats }: Pick<ValidationMode, 'formats'> & { readonly path: Readonly<Record<string, string>> },
): readonly InvalidParameter[] {
  const header = (name: string): string | undefined => headerValue(request.headers, name);
  const source = toParameterSource({ target: request.target, path, header });
  return findInvalidParameters(parameters, source, { formats, integers: 'by-value' });
}

/**
 * Whether a service that asserts formats, as it may or may not (JSON Schema 2020-12 validation §7.2.1), refuses a request for
 * one of its parameters.
 */
export function breaksFormat(
  request: HttpRequest,
  operation: Operation,
  pathParameters: Readonly<Record<string, string>>,
): boolean {
  const mode = { path: pathParameters, formats: 'assert' } as const;
  return findParameterProblems(request, operation.parameters, mode).length > 0;
}

/** Whether a request has the credentials that it needs, as anybody would write them. */
export function isTrusted({ credentials }: Pick<RequestReading, 'credentials'>): boolean {
  return credentials === 'good' || credentials === 'not-required';
}

/** Whether nothing but its body, its key and how it is spelled could be held against a request. */
export function isFineAround(request: Omit<RequestReading, 'key'>): boolean {
  return isTrusted(request) && request.accept === 'met' && request.invalidParameters.length === 0;
}

/** Whether a body is valid, and one that anybody would send. */
export function hasPlainBody({ body }: Pick<RequestReading, 'body'>): boolean {
  return body.kind === 'valid' && body.grade.kind === 'plain';
}

/** Whether a request has a plain valid body, or none if none is expected. */
export function isPlainOrNone({ body }: Pick<RequestReading, 'body'>): boolean {
  return body.kind === 'not-expected' || hasPlainBody({ body });
}

/** Whether a request is one that anybody would send: good credentials, where any are asked for, and a plain valid body. */
export function isPlainAndTrusted({ request }: CheckedExchange): boolean {
  const { framing, mediaTypeSpelling } = request;
  return (
    hasPlainBody(request) &&
    isFineAround(request) &&
    framing === 'content-length' &&
    mediaTypeSpelling === 'usual'
  );
}

/** Statuses that speak of the moment, not of the request (RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4). */
export const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether a request was redirected or refused, and not only put off. */
export function isTurnedAway(judged: CheckedExchange): boolean {
  const status = statusOf(judged);
  return status >= 300 && status < 500 && !passingStatuses.has(status);
}

/** The key of what a request would create, where its client chooses it and the body can be read and names one. */
export function readKey(
  body: BodyReading,
  operation: Operation | undefined,
): string | number | ExactNumber | undefined {
  const value = 'value' in body ? body.value : 'plainJson' in body ? body.plainJson : undefined;
  const kind = operation?.kind;
  if (kind?.kind !== 'create' || kind.key.kind !== 'client') return undefined;
  const key = memberAt(value, [...kind.request, kind.key.property]);
  return isJsonNumber(key) || typeof key === 'string' ? key : undefined;
}

/** The key that {@link readKey} reads, as a text: equal texts are equal keys. */
export function resourceKey({ request, operation }: CheckedExchange): string | undefined {
  const key = readKey(request.body, operation);
  return key === undefined || typeof key === 'string' ? key : numberKey(key);
}

/** From the best to the worst: several schemes together are as good as the worst of them, alternatives as the best. */
const ranks: readonly CredentialsReading[] = [
  'not-required',
  'good',
  'good-unusual',
  'unjudged',
  'unknown-token',
  'other',
  'missing',
];

/** Reads the credentials of a request as its operation asks for them (OpenAPI 3.1 §4.8.30). */
function readCredentials(
  request: HttpRequest,
  operation: Operation,
  good: readonly string[],
): CredentialsReading {
  if (operation.security.length === 0) return 'not-required';
  const rankings = operation.security.map((schemes) =>
    Math.max(0, ...schemes.map((scheme) => ranks.indexOf(readScheme(request, scheme, good)))),
  );
  return ranks[Math.min(...rankings)] ?? 'missing';
}

function readScheme(
  request: HttpRequest,
  scheme: SecurityScheme,
  good: readonly string[],
): CredentialsReading {
  switch (scheme.kind) {
    case 'bearer':
      return readAuthorization(headerValue(request.headers, 'authorization'), 'Bearer', good);
    case 'basic': {
      const encoded = good.map((pair) => btoa(pair));
      return readAuthorization(headerValue(request.headers, 'authorization'), 'Basic', encoded);
    }
    case 'api-key': {
      const [key = '', other] = readApiKeys(request, scheme);
      // Which of several a service takes is its own matter.
      if (other !== undefined) return 'unjudged';
      if (key === '') return 'missing';
      return good.includes(key) ? 'good' : 'unknown-token';
    }
    case 'unjudged':
      return 'unjudged';
  }
}

function readAuthorization(
  value: string | undefined,
  scheme: string,
  good: readonly string[],
): CredentialsReading {
  if (value === undefined) return 'missing';
  const [, name = '', space = '', token = ''] = /^(\S*)([ \t]*)(.*)$/su.exec(value.trim()) ?? [];
  if (name.toLowerCase() !== scheme.toLowerCase() || token === '') return 'other';
  if (!good.includes(token)) return 'unknown-token';
  return name === scheme && space === ' ' ? 'good' : 'good-unusual';
}

/** The different values that a request has for a key. */
function readApiKeys(request: HttpRequest, scheme: SecurityScheme & { kind: 'api-key' }): readonly string[] {
  const { parameter } = scheme;
  switch (scheme.in) {
    case 'header':
      return [headerValue(request.headers, parameter) ?? ''];
    case 'query':
      return [...new Set(new URLSearchParams(request.target.split('?')[1] ?? '').getAll(parameter))];
    case 'cookie': {
      const cookies = parseCookies(headerValue(request.headers, 'cookie'));
      return [...new Set(cookies.flatMap(([name, value]) => (name === parameter ? [value] : [])))];
    }
  }
}

function readMediaTypeSpelling(request: HttpRequest, operation: Operation): 'usual' | 'unusual' {
  const contentType = headerValue(request.headers, 'content-type');
  const mediaType = contentType === undefined ? undefined : parseMediaType(contentType);
  const declared = operation.requestBody?.media ?? [];
  const media = mediaType && findMedia(declared, mediaType);
  // A multipart form needs its boundary.
  const written = contentType?.replace(/^(multipart\/[^;]+); boundary=[^;]+$/u, '$1');
  const isUsual = media === undefined || written === mediaType?.essence || written === media.range;
  return isUsual ? 'usual' : 'unusual';
}

/**
 * Whether the declared success can meet an Accept field (RFC 9110 §12.5.1), if there is one. An empty one, and one with
 * anything in it but media ranges and their weights, is contested unless it is met all the same; so is one that does
 * not take everything, where the success has no content.
 */
export function readAccept(accept: string | undefined, operation: Operation): RequestReading['accept'] {
  if (accept === undefined) return 'met';
  const types = successTypes(operation);
  const texts = accept.split(',').flatMap((text) => (text.trim() === '' ? [] : [text.trim()]));
  const items = texts.flatMap((text) => readItem(text) ?? []);
  // What has no content meets any of them, but many a framework looks at the field before it knows that.
  if (types.length === 0) return weighMedia(items, '*/*') > 0 ? 'met' : 'contested';
  if (types.some((type) => type.includes('*') || weighMedia(items, type) > 0)) {
    return items.length === texts.length ? 'met' : 'contested';
  }
  return items.length === texts.length && items.length > 0 ? 'unmet' : 'contested';
}

/** A media range, with a weight and nothing else behind it (RFC 9110 §12.4.2, §12.5.1). */
const acceptItem =
  /^([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/iu;

interface Item {
  readonly range: string;
  readonly weight: number;
}

function readItem(text: string): Item | undefined {
  const [, range, weight = '1'] = acceptItem.exec(text) ?? [];
  return range === undefined ? undefined : { range: range.toLowerCase(), weight: Number(weight) };
}

/** The media types that a success is declared in; `default` speaks for it where nothing else does. */
function successTypes({ responses }: Operation): readonly string[] {
  const successes = responses.filter(isSuccess);
  const speaking =
    successes.length > 0 ? successes : responses.filter(({ status }) => status.kind === 'default');
  return speaking.flatMap(({ media }) => media.map(({ range }) => essenceOf(range)));
}
