import type { Operation, PathItem, SecurityAlternative } from '../contract/contract.ts';
import type { Parameter } from '../contract/read-parameters.ts';
import { findIfMatch } from '../contract/request-facts.ts';
import { joinBytes } from '../http/bytes.ts';
import { essenceOf } from '../http/media-type.ts';
import { type Framing, headerValue, type HeaderList, type HttpRequest, tokenForm } from '../http/message.ts';
import { pathOf } from '../http/path.ts';
import { parseJson } from '../json/parse.ts';
import { isJsonObject } from '../json/value.ts';
import { holdsKnownValue } from '../schema/known-place.ts';
import { insertTag, itemTag, namesTag } from './item-tag.ts';
import { freshenIdempotencyKey } from './fresh-idempotency-key.ts';
import { pickAlternative, renderCredentials } from './credentials.ts';
import type { GivenCredentials } from './given-credentials.ts';
import { judgeValue, type PlainValues, plainValues, userValues, type ValueVerdict } from './from-schema.ts';
import {
  otherPlainBodies,
  plainBody,
  type PlainBody,
  type PlainBodyResult,
  plainContent,
} from './plain-body.ts';
import { createSlotMarks } from './slot-marks.ts';
import {
  type Body,
  type CredentialCase,
  isKeySlot,
  joinParts,
  type KeyPlaceholder,
  type ParameterTexts,
  type RequestCase,
} from './request-case.ts';
import { serializeParameter } from './serialize-parameter.ts';

/** Matches text that must be encoded in a path (RFC 3986 §3.3), including a percent sign that encodes nothing. */
const forbidden = /%(?![\dA-F]{2})|[^\u{21}-\u{7E}]+|["<>\\^`{|}]/giu;

/**
 * Percent-encodes the literal text of a path template; its parameters are unchanged.
 *
 * @example
 * encodePathTemplate('/cafés/{id}'); // /caf%C3%A9s/{id}
 */
export function encodePathTemplate(template: string): string {
  return template
    .split(/(\{[^{}]*\})/u)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(forbidden, encodeURIComponent)))
    .join('');
}

/** A parameter with typical values. */
export interface PlainParameter {
  readonly parameter: Parameter;
  readonly values: PlainValues;
}

/** The parts of plain requests to an operation. */
interface PlainRequest {
  /** Bodies in the first notation of the operation. */
  readonly body: PlainBodyResult;
  /** Bodies in its other declared notations, generated when they are first requested. */
  readonly otherBodies: readonly PlainBody[];
  readonly parameters: readonly PlainParameter[];
  /** The reason why no plain request is possible, if none is. */
  readonly problem: string | undefined;
}

const known = new WeakMap<Operation, PlainRequest>();

/** Returns whether a text can be sent unchanged: in a path segment, or in a header field (RFC 9110 §5.5). */
export function canTravel({ in: place, style }: Parameter, text: string): boolean {
  if (place === 'path') return text !== '' && !/^(?:\.|%2e){1,2}$/iu.test(text);
  return (place !== 'header' && style !== 'cookie') || (/^[\x20-\x7e]*$/u.test(text) && text.trim() === text);
}

function sendableValues(parameter: Parameter): PlainValues | undefined {
  // The content is sent without a content coding.
  const { in: place, name } = parameter;
  if (place === 'header' && (name.toLowerCase() === 'content-encoding' || !tokenForm.test(name)))
    return undefined;
  const values =
    userValues('parameters', name, parameter.schema) ?? plainValues(parameter.schema, parameter.examples);
  return values && canTravel(parameter, serializeParameter(parameter, values.smallest)) ? values : undefined;
}

function describe(operation: Operation): PlainRequest {
  const found = operation.parameters.map((parameter) => ({ parameter, values: sendableValues(parameter) }));
  const parameters = found.flatMap(({ parameter, values }) =>
    values === undefined ? [] : [{ parameter, values }],
  );
  const lacking = found.find(({ parameter, values }) => values === undefined && parameter.required);
  const body = plainBody(operation);
  const ofBody =
    body.kind === 'unavailable' && operation.requestBody?.required === true ? body.reason : undefined;
  const ofParameter =
    lacking &&
    `no value that can be sent was found that the schema of its ${lacking.parameter.in} parameter "${lacking.parameter.name}" allows`;
  let others: readonly PlainBody[] | undefined;
  return {
    body,
    get otherBodies() {
      return (others ??= body.kind === 'body' ? otherPlainBodies(operation) : []);
    },
    parameters,
    problem: ofParameter ?? ofBody,
  };
}

/** Returns the parts of plain requests to an operation; computed once for each operation. */
export function plainRequest(operation: Operation): PlainRequest {
  const request = known.get(operation) ?? describe(operation);
  known.set(operation, request);
  return request;
}

/** Returns the plain body of an operation in the notation of a request, or in its first one; undefined without any. */
export function plainBodyOf({ headers }: RequestCase, operation: Operation): PlainBody | undefined {
  const { body } = plainRequest(operation);
  if (body.kind !== 'body') return undefined;
  const label = essenceOf(headerValue(headers, 'content-type') ?? '');
  const isIn = ({ contentType }: PlainBody): boolean => essenceOf(contentType) === label;
  return isIn(body.body) ? body.body : (plainRequest(operation).otherBodies.find(isIn) ?? body.body);
}

/** The parts of a request that are not plain. */
export interface RequestOverrides {
  /** @defaultValue a plain body without optional properties, if the operation accepts one */
  readonly body?: Body | undefined;
  /** Undefined sends none. @defaultValue the declared media type, if there is a body */
  readonly contentType?: string | undefined;
  /** Header fields besides those of parameters. */
  readonly headers?: HeaderList;
  /** @defaultValue good */
  readonly credentials?: CredentialCase;
  /** @defaultValue 'content-length' */
  readonly framing?: Framing;
  /** Undefined leaves a parameter out; unnamed ones are plain, or left out if optional. */
  readonly parameters?: ParameterTexts;
}

/** Returns the serialized parameters of a request: plain values, except for the given ones. */
export function parameterTexts(operation: Operation, overrides: ParameterTexts = new Map()): ParameterTexts {
  const plain = plainRequest(operation).parameters.flatMap(({ parameter, values }) =>
    parameter.required ? [[parameter, serializeParameter(parameter, values.smallest)] as const] : [],
  );
  return new Map([...plain, ...overrides]);
}

/**
 * Creates a request to an operation: a plain one, except for the overrides.
 *
 * @example
 * buildRequest(operation, { body: ['null'] });
 */
export function buildRequest(operation: Operation, overrides: RequestOverrides = {}): RequestCase {
  const { body: plain } = plainRequest(operation);
  const plainParts = plain.kind === 'body' ? plainContent(plain.body, plain.body.smallest) : undefined;
  const body = 'body' in overrides ? overrides.body : plainParts;
  const declaredType = body !== undefined && plain.kind === 'body' ? plain.body.contentType : undefined;
  const contentType = 'contentType' in overrides ? overrides.contentType : declaredType;
  let path = encodePathTemplate(operation.path.template);
  const own = new Set(operation.items.map(({ parameter }) => parameter));
  const match = findIfMatch(operation);
  const query: string[] = [];
  const headers: (readonly [string, string])[] =
    contentType === undefined ? [] : [['Content-Type', contentType]];
  for (const [parameter, text] of parameterTexts(operation, overrides.parameters)) {
    if (text === undefined) continue;
    if (parameter.in === 'path') {
      // The item is chosen when the request is sent.
      if (own.has(parameter.name) && overrides.parameters?.has(parameter) !== true) continue;
      path = path.replaceAll(`{${parameter.name}}`, () => text);
    } else if (parameter.in === 'query' || parameter.in === 'querystring') {
      query.push(...(text === '' ? [] : [text]));
    } else {
      const value = parameter === match && text === plainTag(operation) ? itemTag : text;
      headers.push([parameter.in === 'cookie' ? 'Cookie' : parameter.name, value]);
    }
  }
  return {
    operationId: operation.id,
    method: operation.method,
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: [...headers, ...(overrides.headers ?? [])],
    credentials: overrides.credentials ?? { kind: 'good' },
    body,
    framing: overrides.framing ?? 'content-length',
  };
}

/** Returns the plain text of If-Match, which the ETag of the item replaces unless the user gave the text. */
function plainTag(operation: Operation): string | undefined {
  const plain = plainRequest(operation).parameters.find(
    ({ parameter }) => parameter === findIfMatch(operation),
  );
  if (plain === undefined) return undefined;
  const { name, schema } = plain.parameter;
  return userValues('parameters', name, schema) === undefined
    ? serializeParameter(plain.parameter, plain.values.smallest)
    : undefined;
}

/**
 * Inserts the items that the path of a request names, percent-encoded, by the names of their parameters. A missing item
 * is replaced with a plain value.
 */
export function fillItems(
  target: string,
  operation: Operation,
  items: ReadonlyMap<string, string> = new Map(),
): string {
  let filled = target;
  for (const { parameter: name } of operation.items) {
    if (!filled.includes(`{${name}}`)) continue;
    const plain = plainRequest(operation).parameters.find(
      ({ parameter }) => parameter.in === 'path' && parameter.name === name,
    );
    const text = items.get(name) ?? (plain && serializeParameter(plain.parameter, plain.values.smallest));
    filled = filled.replaceAll(`{${name}}`, () => text ?? '1');
  }
  return filled;
}

/** Returns the known value of an item in the path of an operation, percent-encoded; undefined if there is none. */
export function knownItem(operation: Operation, { parameter: name }: PathItem): string | undefined {
  const plain = plainRequest(operation).parameters.find(
    ({ parameter }) => parameter.in === 'path' && parameter.name === name,
  );
  if (plain === undefined || !holdsKnownValue(plain.parameter.schema, plain.values.smallest, ''))
    return undefined;
  return serializeParameter(plain.parameter, plain.values.smallest);
}

/** Encodes a text in UTF-16, two bytes for each code unit, without a byte order mark. */
export function encodeUtf16(text: string, encoding: 'utf-16le' | 'utf-16be'): Uint8Array {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < text.length; index += 1) {
    view.setUint16(2 * index, text.charCodeAt(index), encoding === 'utf-16le');
  }
  return bytes;
}

/** Judges the JSON in a request, in any spelling, by the schema of its operation; its id does not matter. */
function judgeBody(request: RequestCase, operation: Operation): ValueVerdict | undefined {
  const plain = plainBodyOf(request, operation);
  if (plain === undefined || request.body === undefined) return undefined;
  const { schema, key } = plain;
  const marks = createSlotMarks();
  const value = marks.readValue(request.body);
  if (key === undefined || !isJsonObject(value) || !marks.isSlot(value[key.property])) {
    return value === undefined ? undefined : judgeValue(schema, value);
  }
  const anyKey = key.classes.get('plain') ?? null;
  return judgeValue(schema, { ...value, [key.property]: anyKey });
}

/** Returns whether a request contains JSON, in any spelling, that its operation's schema accepts, ignoring its id. */
export function hasValidBody(request: RequestCase, operation: Operation): boolean {
  return judgeBody(request, operation) === 'valid';
}

/** Returns whether a service may refuse the body of a request, although its schema accepts it, for an unknown value. */
export function mayHaveUnknownValue(request: RequestCase, operation: Operation): boolean {
  const isRestricted = plainBodyOf(request, operation)?.schema?.known !== undefined;
  return isRestricted && judgeBody(request, operation) === 'ambiguous';
}

const encoder = new TextEncoder();

/**
 * Encodes content. `keys` returns the JSON text of the id for a placeholder; `items` contains the ids of existing
 * items, percent-encoded, by their paths without names.
 */
export function renderBody(
  parts: Body,
  keys: (slot: KeyPlaceholder) => string,
  items: ReadonlyMap<string, string> = new Map(),
): Uint8Array {
  const written = parts.map((part) => {
    if (!isKeySlot(part)) return part;
    const text = part.of === undefined ? keys(part) : itemKey(part.of, items);
    return part.encoding === undefined ? text : encodeUtf16(text, part.encoding);
  });
  const pieces = joinParts(written).map((part) =>
    part instanceof Uint8Array ? part : encoder.encode(typeof part === 'string' ? part : ''),
  );
  const [only] = pieces;
  // Most bodies have one part.
  if (only !== undefined && pieces.length === 1) return only;
  return joinBytes(pieces);
}

/** Returns the JSON text of an item's id, with the type of the plain one; a shell placeholder may be a number. */
function itemKey(
  { item, plain }: NonNullable<KeyPlaceholder['of']>,
  items: ReadonlyMap<string, string>,
): string {
  const value = items.get(item);
  if (value === undefined) return plain;
  const text = decodeURIComponent(value);
  const isNumber = !plain.startsWith('"') && /^(?:-?(?:0|[1-9]\d*)|\{[^{}]+\})$/u.test(text);
  return isNumber ? text : JSON.stringify(text);
}

/** The alternative of requests that match no operation: a service may require credentials before it reports that. */
export const anyBearer: SecurityAlternative = [{ kind: 'bearer', name: 'bearer' }];

const noAlternative: SecurityAlternative = [];

/** Joins all cookies in one Cookie field (RFC 6265 §5.4). */
function joinCookies(headers: HeaderList): HeaderList {
  const isCookie = ([name]: readonly [string, string]): boolean => name.toLowerCase() === 'cookie';
  if (!headers.some(isCookie)) return headers;
  const cookies = headers.filter(isCookie).map(([, value]) => value);
  return cookies.length < 2
    ? headers
    : [...headers.filter((field) => !isCookie(field)), ['Cookie', cookies.join('; ')]];
}

/** Deep enough that JSON is not rejected for its depth alone. */
export const maxDepth = 10_000;

/** Converts a JSON body to the notation of its Content-Type if the operation accepts it. */
function writeNotation(content: Uint8Array, request: RequestCase, operation: Operation): Uint8Array {
  const notation = plainBodyOf(request, operation)?.notation;
  const label = essenceOf(headerValue(request.headers, 'content-type') ?? '');
  if (notation === undefined || label !== essenceOf(notation.contentType)) return content;
  const parsed = parseJson(new TextDecoder().decode(content), { explains: false, maxDepth });
  return parsed.kind === 'json' ? notation.write(parsed.value) : content;
}

/**
 * Serializes a request: inserts its ids, and its credentials if the security of the operation requires them.
 */
export function renderRequest(input: {
  readonly request: RequestCase;
  readonly keys: (slot: KeyPlaceholder) => string;
  readonly operation: Operation | undefined;
  /** The items in the path and the body, for {@link fillItems} and {@link renderBody}. @defaultValue plain values */
  readonly items?: ReadonlyMap<string, string>;
  readonly given: GivenCredentials;
  /** Rejected alternatives, for {@link pickAlternative}. @defaultValue none */
  readonly rejected?: ReadonlySet<string>;
  /** Draws a number for a fresh `Idempotency-Key`. @defaultValue the key of the request stays */
  readonly draw?: () => number;
  /** Returns the ETag of the item that a path names. @defaultValue unknown */
  readonly tagOf?: (path: string) => string | undefined;
}): HttpRequest {
  const { request, keys, operation, items, given, rejected, draw, tagOf } = input;
  const { credentials } = request;
  const alternative =
    operation === undefined
      ? anyBearer
      : pickAlternative(operation, rejected, { name: credentials.alternative, own: given.own });
  // A second user without credentials for the operation must not have those of the first.
  const isUnknown = alternative === undefined && given.own !== undefined;
  const { headers, query } = renderCredentials(
    alternative ?? noAlternative,
    credentials,
    isUnknown ? {} : given,
  );
  const target = operation === undefined ? request.target : fillItems(request.target, operation, items);
  const joint = target.includes('?') ? '&' : '?';
  const body = request.body && renderBody(request.body, keys, items);
  const own =
    operation !== undefined && namesTag(request)
      ? insertTag(request.headers, operation, [tagOf?.(pathOf(target)), '*', plainTag(operation)])
      : request.headers;
  return {
    method: request.method,
    target: query.length === 0 ? target : `${target}${joint}${query.join('&')}`,
    headers: joinCookies([...headers, ...(draw ? freshenIdempotencyKey(own, operation, draw) : own)]),
    body: body && operation ? writeNotation(body, request, operation) : body,
  };
}
