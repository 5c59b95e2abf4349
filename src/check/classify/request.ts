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
import type { ClassifiedBody, ClassifiedCredentials, CheckedExchange, ClassifiedRequest } from './subject.ts';

/**
 * Reads a request by the operation that it reached, from the bytes that were sent and not from the intended case.
 *
 * @param input.goodTokens - the tokens (for basic authentication `user:password`) that are known to be accepted
 */
export function readRequest(input: {
  readonly request: HttpRequest;
  readonly operation: Operation | undefined;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly goodTokens: readonly string[];
  readonly framing: Framing;
}): Omit<ClassifiedRequest, 'key'> {
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
 * Returns whether a parameter breaks its format. A service may or may not assert formats and reject the request (JSON
 * Schema 2020-12 validation §7.2.1).
 */
export function breaksFormat(
  request: HttpRequest,
  operation: Operation,
  pathParameters: Readonly<Record<string, string>>,
): boolean {
  const mode = { path: pathParameters, formats: 'assert' } as const;
  return findParameterProblems(request, operation.parameters, mode).length > 0;
}

/** Returns whether a request has the required credentials, in the usual spelling. */
export function isTrusted({ credentials }: Pick<ClassifiedRequest, 'credentials'>): boolean {
  return credentials === 'good' || credentials === 'not-required';
}

/** Returns whether a service can reject a request only for its body, its id or its spelling. */
export function isFineAround(request: Omit<ClassifiedRequest, 'key'>): boolean {
  return isTrusted(request) && request.accept === 'met' && request.invalidParameters.length === 0;
}

/** Returns whether a body is valid and plain. */
export function hasPlainBody({ body }: Pick<ClassifiedRequest, 'body'>): boolean {
  return body.kind === 'valid' && body.grade.kind === 'plain';
}

/** Returns whether a request has a plain valid body, or none if none is expected. */
export function isPlainOrNone({ body }: Pick<ClassifiedRequest, 'body'>): boolean {
  return body.kind === 'not-expected' || hasPlainBody({ body });
}

/** Returns whether a request is usual: good credentials if any are required, and a plain valid body. */
export function isPlainAndTrusted({ request }: CheckedExchange): boolean {
  const { framing, mediaTypeSpelling } = request;
  return (
    hasPlainBody(request) &&
    isFineAround(request) &&
    framing === 'content-length' &&
    mediaTypeSpelling === 'usual'
  );
}

/** Statuses that depend on the time, not on the request (RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4). */
export const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429]);

/** Returns whether a request was redirected or rejected, and not merely postponed. */
export function isRejected(judged: CheckedExchange): boolean {
  const status = statusOf(judged);
  return status >= 300 && status < 500 && !passingStatuses.has(status);
}

/** Returns the id in the body of a create, if the client chooses the id and the body can be read and has one. */
export function readKey(
  body: ClassifiedBody,
  operation: Operation | undefined,
): string | number | ExactNumber | undefined {
  const plain = 'plainJson' in body ? body.plainJson : undefined;
  const value = 'value' in body ? body.value : plain;
  const kind = operation?.kind;
  if (kind?.kind !== 'create' || kind.key.kind !== 'client') return undefined;
  const key = memberAt(value, [...kind.request, kind.key.property]);
  return isJsonNumber(key) || typeof key === 'string' ? key : undefined;
}

/** Returns the id that {@link readKey} reads, as a text: equal texts are equal ids. */
export function resourceKey({ request, operation }: CheckedExchange): string | undefined {
  const key = readKey(request.body, operation);
  return key === undefined || typeof key === 'string' ? key : numberKey(key);
}

/** From best to worst: required together, schemes rank as the worst of them; alternatives rank as the best. */
const ranks: readonly ClassifiedCredentials[] = [
  'not-required',
  'good',
  'good-unusual',
  'unjudged',
  'unknown-token',
  'other',
  'missing',
];

/** Compares the credentials of a request with those that its operation requires (OpenAPI 3.1 §4.8.30). */
function readCredentials(
  request: HttpRequest,
  operation: Operation,
  good: readonly string[],
): ClassifiedCredentials {
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
): ClassifiedCredentials {
  switch (scheme.kind) {
    case 'bearer':
      return readAuthorization(headerValue(request.headers, 'authorization'), 'Bearer', good);
    case 'basic': {
      const encoded = good.map((pair) => btoa(pair));
      return readAuthorization(headerValue(request.headers, 'authorization'), 'Basic', encoded);
    }
    case 'api-key': {
      const [key = '', other] = readApiKeys(request, scheme);
      // The document does not specify which of several a service uses.
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
): ClassifiedCredentials {
  if (value === undefined) return 'missing';
  const [, name = '', space = '', token = ''] = /^(\S*)([ \t]*)(.*)$/su.exec(value.trim()) ?? [];
  if (name.toLowerCase() !== scheme.toLowerCase() || token === '') return 'other';
  if (!good.includes(token)) return 'unknown-token';
  return name === scheme && space === ' ' ? 'good' : 'good-unusual';
}

/** Lists the different values that a request has for an API key. */
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
  // A multipart form needs its boundary parameter.
  const written = contentType?.replace(/^(multipart\/[^;]+); boundary=[^;]+$/u, '$1');
  const isUsual = media === undefined || written === mediaType?.essence || written === media.range;
  return isUsual ? 'usual' : 'unusual';
}

/**
 * Returns whether the declared success can satisfy an Accept field (RFC 9110 §12.5.1), if there is one. A field that is
 * empty, or has items other than media ranges with weights, is `ambiguous`. If the success has no content, any field
 * that does not accept everything is `ambiguous`.
 */
export function readAccept(accept: string | undefined, operation: Operation): ClassifiedRequest['accept'] {
  if (accept === undefined) return 'met';
  const types = successTypes(operation);
  const texts = accept.split(',').flatMap((text) => (text.trim() === '' ? [] : [text.trim()]));
  const items = texts.flatMap((text) => readItem(text) ?? []);
  // No content satisfies any of them, but many frameworks check the field before they know that.
  if (types.length === 0) return weighMedia(items, '*/*') > 0 ? 'met' : 'ambiguous';
  if (types.some((type) => type.includes('*') || weighMedia(items, type) > 0)) {
    return items.length === texts.length ? 'met' : 'ambiguous';
  }
  return items.length === texts.length && items.length > 0 ? 'unmet' : 'ambiguous';
}

/** A media range with an optional weight and no other parameter (RFC 9110 §12.4.2, §12.5.1). */
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

/** Lists the media types that a success is declared in; those of `default` if no success is declared. */
function successTypes({ responses }: Operation): readonly string[] {
  const successes = responses.filter(isSuccess);
  const speaking =
    successes.length > 0 ? successes : responses.filter(({ status }) => status.kind === 'default');
  return speaking.flatMap(({ media }) => media.map(({ range }) => essenceOf(range)));
}
