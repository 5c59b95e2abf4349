import type { DeclaredResponse, Operation } from '../../contract/contract.ts';
import { findDeclaredResponse, isSuccess } from '../../contract/responses.ts';
import {
  findCodec,
  findReadable,
  isStreamMediaType,
  isStructured,
  jsonCodec,
} from '../../http/codecs/registry.ts';
import { decodeUtf8 } from '../../http/bytes.ts';
import { findMedia, parseMediaType } from '../../http/media-type.ts';
import { type Answer, headerValue, type HttpResponse } from '../../http/message.ts';
import { isClientError, isSuccessStatus } from '../../http/status.ts';
import { parseJson } from '../../json/parse.ts';
import { appendPointer, resolvePointer } from '../../json/pointer.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { CompiledSchema } from '../../schema/compile.ts';
import { declaredNames, schemaAt, schemaProperties } from '../../schema/properties.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import type { ClassifiedResponse, ContentReading, CheckInput, CheckedExchange } from './subject.ts';

/** Classifies an answer by its operation; without an operation, nothing is declared. */
export function readAnswer(answer: Answer, operation: Operation | undefined): ClassifiedResponse {
  if (answer.kind !== 'response') return { kind: 'none', answer };
  const { response } = answer;
  const declared = operation && findDeclaredResponse(operation.responses, response.status);
  return { kind: 'response', response, declared, content: readContent(response, declared) };
}

function readContent(response: HttpResponse, declared: DeclaredResponse | undefined): ContentReading {
  const contentType = headerValue(response.headers, 'content-type');
  const mediaType = contentType === undefined ? undefined : parseMediaType(contentType);
  // A stream may have no event yet.
  const isStream = mediaType !== undefined && isStreamMediaType(mediaType.essence);
  if (response.body.length === 0 && !isStream) return { kind: 'none' };
  // Content without a media type may be bytes of any kind (RFC 9110 §8.3).
  const media = findMedia(declared?.media, mediaType);
  const codec = mediaType && findCodec(mediaType.essence);
  const other: ContentReading = { kind: 'other', mediaType: contentType, media };
  const read = isStream ? codec?.parseStream : codec?.parse;
  if (isStream ? read === undefined || response.body.length === 0 : !isStructured({ codec })) return other;
  if (response.cutAfter !== undefined) return { kind: 'cut', media };
  if (response.undecoded !== undefined) return { kind: 'undecoded', fault: response.undecoded, media };
  if (codec !== jsonCodec) {
    const parsed = media && read?.(response.body, media, contentType ?? '');
    if (parsed === undefined || parsed.kind === 'wrong-type' || parsed.isDisputed === true) return other;
    if (parsed.kind === 'malformed') return media === undefined ? other : { ...parsed, media };
    const { value } = parsed;
    return {
      kind: 'json',
      json: { kind: 'json', value, exact: holdsExactNumber(value), duplicateKeys: [] },
      media,
    };
  }
  const text = decodeUtf8(response.body);
  if (text === undefined) return { kind: 'not-utf8', media };
  const json = parseJson(text, { findDuplicateKeys: true, maxDepth: 10_000 });
  return json.kind === 'json' ? { kind: 'json', json, media } : { kind: 'not-json', problem: json, media };
}

/** Returns the parsed JSON of an answer; undefined if it has none. */
export function jsonContent(answer: ClassifiedResponse): JsonValue | undefined {
  return answer.kind === 'response' && answer.content.kind === 'json' ? answer.content.json.value : undefined;
}

/** Returns the status of an answer, or 0 if there is no response. */
export function statusOf({ answer }: Pick<CheckInput, 'answer'>): number {
  return answer.kind === 'none' ? 0 : answer.response.status;
}

/** Classifies a response: accepted (any 2xx), refused (a 4xx that the document declares), or other. */
export function classifyStatus(answer: ClassifiedResponse): 'accepted' | 'refused' | 'other' {
  if (answer.kind === 'none') return 'other';
  const { status } = answer.response;
  if (isSuccessStatus(status)) return 'accepted';
  return isClientError(status) && answer.declared !== undefined ? 'refused' : 'other';
}

/** Returns whether a request was accepted. */
export function isAccepted(answer: ClassifiedResponse): boolean {
  return classifyStatus(answer) === 'accepted';
}

/**
 * Returns whether an answer is a success of its operation: a 2xx, or a 3xx that the operation declares while it
 * declares no 2xx (OpenAPI 3.1 §4.8.16).
 */
export function isSuccessful({ answer, operation }: Pick<CheckInput, 'answer' | 'operation'>): boolean {
  if (answer.kind === 'none' || isAccepted(answer)) return answer.kind !== 'none';
  const { status } = answer.response;
  const isDeclared = answer.declared !== undefined && answer.declared.status.kind !== 'default';
  return status >= 300 && status < 400 && isDeclared && operation?.responses.some(isSuccess) === false;
}

/** RFC 9110 §15.5, RFC 6585 §4, RFC 4918 §11.3, RFC 8470 §5.2. A document may declare them too. */
const passing: ReadonlySet<number> = new Set([408, 409, 423, 425, 429]);

/** Returns whether a status depends on the time or on other clients, not on the request. */
export function isPassing(answer: ClassifiedResponse): boolean {
  return answer.kind === 'response' && passing.has(answer.response.status);
}

/** Returns whether a response is about a precondition that the client set (RFC 9110 §13.1). */
export function isOfPrecondition(subject: Omit<CheckInput, 'request'>): boolean {
  const { answer, exchange } = subject;
  const has = (...names: readonly string[]): boolean =>
    names.some((name) => headerValue(exchange.request.headers, name) !== undefined);
  const status = answer.kind === 'none' ? undefined : answer.response.status;
  return (
    (status === 412 && has('if-match', 'if-none-match', 'if-unmodified-since')) ||
    (status === 304 && has('if-none-match', 'if-modified-since')) ||
    asksForPrecondition(subject)
  );
}

/** Returns whether 428 asks for a precondition that the operation declares and the request lacks (RFC 6585 §3). */
export function asksForPrecondition({ answer, operation, exchange }: Omit<CheckInput, 'request'>): boolean {
  if (answer.kind === 'none' || answer.response.status !== 428 || operation === undefined) return false;
  return operation.parameters.some(
    ({ name, in: place }) =>
      place === 'header' &&
      /^if-(?:none-)?match$|^if-(?:un)?modified-since$/iu.test(name) &&
      headerValue(exchange.request.headers, name) === undefined,
  );
}

/** The JSON object in the response to an accepted create. */
interface Created {
  readonly received: JsonObject;
  readonly schema: CompiledSchema | undefined;
  readonly declared: ReturnType<typeof schemaProperties>;
  /** Whether the schema declares names, and no pattern of names. Otherwise no name is undeclared. */
  readonly isDeclared: boolean;
  /** The names of the undeclared properties, in the order of the response. */
  readonly undeclared: readonly string[];
}

/** Returns the JSON object in the response to an accepted create; undefined if there is none. */
export function readCreated(subject: Pick<CheckInput, 'answer' | 'operation'>): Created | undefined {
  const { answer, operation } = subject;
  if (operation?.kind.kind !== 'create' || !isAccepted(answer)) return undefined;
  if (answer.kind === 'none' || answer.content.kind !== 'json') return undefined;
  const { json, media } = answer.content;
  const received = json.value;
  if (!isJsonObject(received)) return undefined;
  const schema = media?.schema?.schema ?? true;
  const declared = schemaProperties(schema);
  const names = declaredNames(schema);
  const undeclared = Object.keys(received).filter((name) => names?.has(name) === false);
  return { received, schema: media?.schema, declared, isDeclared: names !== undefined, undeclared };
}

/** The properties that a create sent and received, if they can be compared. */
interface Echo {
  readonly sent: JsonObject;
  readonly received: JsonObject;
  /** The property names that lead to the received resource in the body. */
  readonly path: readonly string[];
  /** The properties that were sent and that the response should show. */
  readonly names: readonly string[];
  /** Properties of the response that were not sent, without those that only a service sets. */
  readonly added: readonly string[];
  /** Returns the schemas that a property has in the request and in the response. */
  readonly schemasOf: (name: string) => {
    readonly written: JsonSchema | undefined;
    readonly shown: JsonSchema | undefined;
  };
  /** Returns whether a property is valid in the response with the value that was sent. */
  readonly mayShow: (name: string) => boolean;
}

/** Returns what the response to a create should show; undefined if it shows none of it or an older resource. */
export function readEcho(subject: CheckInput): Echo | undefined {
  const { credentials, key, body } = subject.request;
  const isAuthorized =
    credentials === 'good' || credentials === 'good-unusual' || credentials === 'not-required';
  if (!isAuthorized || key === 'sent' || key === 'chosen') return undefined;
  if (body.kind !== 'valid' || body.grade.kind === 'ambiguous' || !isJsonObject(body.value)) return undefined;
  const created = readCreated(subject);
  if (created?.schema === undefined) return undefined;
  // Bodies may have the resource in an envelope, which may show any part of it.
  const { kind } = subject.operation ?? {};
  const [asked, shown] = kind?.kind === 'create' ? [kind.request, kind.response ?? []] : [[], []];
  const sent = resolvePointer(body.value, appendPointer('', ...asked));
  const received = resolvePointer(created.received, appendPointer('', ...shown));
  if (!isJsonObject(sent) || !isJsonObject(received)) return undefined;
  const declared = declaredAt(created.schema.schema, shown);
  const media = findReadable(subject.operation?.requestBody?.media);
  const written = schemaAt(media?.schema?.schema, asked);
  const taken = declaredNames(written ?? true);
  const takenAs = schemaProperties(written);
  const names: string[] = [];
  const added: string[] = [];
  const made = kind?.kind === 'create' && kind.key.kind === 'server' ? kind.key.property : undefined;
  for (const [name, { readOnly, writeOnly }] of declared) {
    // A service that generates ids may ignore one that was sent.
    if (readOnly || name === made) continue;
    // A service may ignore properties that the request does not declare.
    if (Object.hasOwn(sent, name) && taken?.has(name) !== false) {
      // A service ignores properties that are read-only in the request (OpenAPI 3.1 §4.8.24.3).
      if (!writeOnly && takenAs.get(name)?.readOnly !== true) {
        names.push(name);
      }
    } else if (Object.hasOwn(received, name)) {
      added.push(name);
    }
  }
  const schemasOf: Echo['schemasOf'] = (name) => ({
    written: schemaAt(media?.schema?.schema, [...asked, name]),
    shown: schemaAt(created.schema?.schema, [...shown, name]),
  });
  const mayShow: Echo['mayShow'] = (name) => {
    const item = { ...received, [name]: sent[name] ?? null };
    const whole = shown.reduceRight<JsonValue>((inner, each) => ({ [each]: inner }), item);
    const place = appendPointer('', ...shown, name);
    // If the response has another format, a service may show a date as its first second.
    const problems = created.schema?.validator({ formats: 'assert', integers: 'by-value' })(
      whole,
      holdsExactNumber(whole),
    );
    return problems?.some(({ pointer }) => pointer === place || pointer.startsWith(`${place}/`)) !== true;
  };
  return { sent, received, path: shown, names, added, schemasOf, mayShow };
}

/** Returns the properties that a schema declares at a path of names. */
function declaredAt(whole: JsonSchema, path: readonly string[]): ReturnType<typeof schemaProperties> {
  const $defs = isJsonObject(whole) ? (whole['$defs'] ?? {}) : {};
  return path.reduce((declared, name) => {
    const member = declared.get(name)?.schema;
    return schemaProperties(isJsonObject(member) ? { ...member, $defs } : member);
  }, schemaProperties(whole));
}

/** Returns whether a text is a canary: enough random letters to identify its origin in another response. */
export function isCanary(text: string): boolean {
  return /^(?=.*[a-z])(?=.*[A-Z])[A-Za-z]{6,20}$/u.test(text);
}

/** Lists the canary texts at the top level of a body. */
export function canaryTexts(value: JsonValue): readonly string[] {
  return isJsonObject(value)
    ? Object.values(value).filter(
        (member): member is string => typeof member === 'string' && isCanary(member),
      )
    : [];
}

function plainly(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

/** Returns whether a text is unrelated to the sent one: neither in another case, nor cut, nor extended. */
function isForeign(sent: JsonValue | undefined, received: JsonValue | undefined): boolean {
  if (typeof sent !== 'string' || typeof received !== 'string') return false;
  const [before, after] = [plainly(sent), plainly(received)];
  const isWithin = before.length > 2 && after.includes(before);
  return after !== '' && !before.includes(after) && !isWithin;
}

/** Returns whether the response to a create may show an older resource that is stored under the same id. */
export function mayBeStored(judged: CheckedExchange): boolean {
  const echo = readEcho(judged);
  if (echo === undefined) return false;
  const texts = echo.names.filter((name) => typeof echo.sent[name] === 'string' && name in echo.received);
  return texts.length > 0 && texts.every((name) => isForeign(echo.sent[name], echo.received[name]));
}
