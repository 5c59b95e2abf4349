import type { Operation } from '../../contract/contract.ts';
import { findDeclaredResponse, findSuccessResponse, statusOf } from '../../contract/responses.ts';
import { findCodec } from '../../http/codecs/registry.ts';
import { essenceOf, matchesMediaRange } from '../../http/media-type.ts';
import { toFieldValue as encodeFieldValue, tokenForm } from '../../http/message.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import { appendPointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import { listSentMedia, type SentMedia, writeContent } from '../answer/representation.ts';
import { chooseAccepted } from '../request/body.ts';
import { describeKind } from './handler.ts';

/** A mistake in the response of a handler, as the end of a sentence. The mock cannot send such a response. */
export class HandlerMistake extends Error {}

/** A response of a handler, ready to be sent. */
export interface ReadResponse {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array | undefined;
  /** The value of the body, if the handler gave one. */
  readonly value: JsonValue | undefined;
}

/** Fields that the transport sets. */
const ofTransport = /^(?:content-length|transfer-encoding|connection)$/iu;
/** Statuses without content (RFC 9110 §6.4.1). */
const bodyless: readonly number[] = [204, 205, 304];

/**
 * Reads what a handler returned: a response of the Fetch Standard, or an object with `status`, `headers` and `body`.
 *
 * @param accept - the Accept field of the request, which selects one of the declared media types
 * @throws HandlerMistake for anything else, and for a response that HTTP cannot express
 */
export async function readResponse(
  returned: unknown,
  { operation, accept }: { readonly operation: Operation; readonly accept: string },
): Promise<ReadResponse> {
  if (returned instanceof Response) return readFetchResponse(returned);
  if (typeof returned !== 'object' || returned === null || Array.isArray(returned)) {
    throw new HandlerMistake(
      `it returned ${describeKind(returned)}; return respond(200, body), or next() for the built-in answer`,
    );
  }
  const { status = defaultStatus(operation), headers = {}, body, ...others } = { ...returned } as Loose;
  const [stray] = Object.keys(others);
  if (stray !== undefined) {
    throw new HandlerMistake(
      `it returned an object with "${stray}"; a response has status, headers and body, so wrap a value: respond(200, value)`,
    );
  }
  checkStatus(status);
  const fields = readHeaders(headers);
  if (bodyless.includes(status)) return { status, headers: fields, body: undefined, value: undefined };
  return { status, ...writeBody(body, fields, { operation, status, accept }) };
}

/** A returned object whose members have unknown types. */
interface Loose {
  readonly status?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
}

function defaultStatus(operation: Operation): number {
  const success = findSuccessResponse(operation);
  return success === undefined ? 200 : statusOf(success);
}

function checkStatus(status: unknown): asserts status is number {
  if (typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599) return;
  const shown =
    typeof status === 'number' || typeof status === 'string' ? String(status) : describeKind(status);
  throw new HandlerMistake(`it returned the status ${shown}; a status is a whole number from 200 to 599`);
}

function readHeaders(headers: unknown): readonly string[] {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    throw new HandlerMistake(`it returned ${describeKind(headers)} as headers; write { "X-Name": "text" }`);
  }
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return entries.flatMap(([name, given]: [string, unknown]) => {
    if (!tokenForm.test(name))
      throw new HandlerMistake(`it returned a header "${name}", which is no field name`);
    const values: readonly unknown[] = Array.isArray(given) ? given : [given];
    if (ofTransport.test(name)) return [];
    return values.flatMap((value) => [name, toFieldValue(name, value)]);
  });
}

function toFieldValue(name: string, value: unknown): string {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof text !== 'string') {
    throw new HandlerMistake(`it returned ${describeKind(value)} as the header ${name}; write a text`);
  }
  if (/[^\t\P{Cc}]/u.test(text)) {
    throw new HandlerMistake(`it returned the header ${name} with a line break or another control character`);
  }
  return encodeFieldValue(text);
}

async function readFetchResponse(response: Response): Promise<ReadResponse> {
  const { status } = response;
  if (response.bodyUsed)
    throw new HandlerMistake('the body of the Response that it returned was read before');
  checkStatus(status);
  const fields = readHeaders(response.headers);
  const body = response.body === null ? undefined : new Uint8Array(await response.arrayBuffer());
  return { status, headers: fields, body, value: undefined };
}

/**
 * Converts a value to JSON as JSON.stringify does; exact numbers, which the state has, keep their digits.
 *
 * @throws HandlerMistake for a value that JSON cannot express
 */
function toJson(given: unknown, at = '', above: readonly unknown[] = []): JsonValue | undefined {
  if (given instanceof ExactNumber) return given;
  const value = hasToJson(given) ? given.toJSON() : given;
  const fail = (problem: string): HandlerMistake =>
    new HandlerMistake(
      `it returned a body with ${problem}${at === '' ? '' : ` at ${at}`}, which JSON cannot express`,
    );
  switch (typeof value) {
    case 'bigint':
      throw fail('a bigint');
    case 'object':
      break;
    case 'number':
      if (!Number.isFinite(value)) throw fail(String(value));
      return value;
    case 'string':
    case 'boolean':
      return value;
    default:
      if (at === '' && value !== undefined) throw fail(`a ${typeof value}`);
      return undefined;
  }
  if (value === null) return null;
  if (above.includes(value)) throw fail('a circular value');
  if (value instanceof Map || value instanceof Set || value instanceof Promise) {
    throw fail(`a ${value.constructor.name}`);
  }
  const inside = [...above, value];
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => toJson(item, appendPointer(at, index), inside) ?? null);
  }
  const members: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(value)) {
    const converted = toJson(member, appendPointer(at, name), inside);
    if (converted !== undefined) members.push([name, converted]);
  }
  return Object.fromEntries(members);
}

function hasToJson(value: unknown): value is { readonly toJSON: () => unknown } {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  );
}

/** The operation and the request of a response. */
interface ResponseContext {
  readonly operation: Operation;
  readonly status: number;
  readonly accept: string;
}

/** Chooses the media type of a body: that of the given field, else a declared one, else JSON or plain text. */
function chooseMedia(
  given: string | undefined,
  { operation, status, accept }: ResponseContext,
): SentMedia | undefined {
  const declared = listSentMedia(findDeclaredResponse(operation.responses, status)?.media ?? []);
  if (given === undefined) {
    const types = declared.map(({ contentType }) => contentType);
    return declared[chooseAccepted(accept, types)];
  }
  const essence = essenceOf(given);
  const found = declared.find(({ media }) => matchesMediaRange(essence, media.range));
  return found && { ...found, contentType: given, codec: findCodec(essence) };
}

function writeBody(
  body: unknown,
  fields: readonly string[],
  context: ResponseContext,
): Omit<ReadResponse, 'status'> {
  const at = fields.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-type');
  const given = at === -1 ? undefined : fields[at + 1];
  if (body === undefined) return { headers: fields, body: '', value: undefined };
  const sent = chooseMedia(given, context);
  const typed = (usual: string): readonly string[] =>
    given === undefined ? ['Content-Type', sent?.contentType ?? usual, ...fields] : fields;
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) {
    const bytes = body instanceof ArrayBuffer ? new Uint8Array(body) : body;
    return { headers: typed('application/octet-stream'), body: bytes, value: undefined };
  }
  const codec = given === undefined ? sent?.codec : findCodec(essenceOf(given));
  if (typeof body === 'string' && (codec === undefined ? sent === undefined : codec.holds === 'text')) {
    return { headers: typed('text/plain; charset=utf-8'), body, value: undefined };
  }
  const value = toJson(body);
  if (value === undefined) throw new HandlerMistake('JSON cannot express the body that it returned');
  const content = sent === undefined ? stringifyJson(value) : writeContent(sent, value);
  return { headers: typed('application/json'), body: content, value };
}
