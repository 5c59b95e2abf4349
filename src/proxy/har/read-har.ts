import { ClocheError } from '../../errors/cloche-error.ts';
import { type Answer, type HeaderList, headerValue, type HttpRequest } from '../../http/message.ts';
import { toSyntaxProblem } from '../../json/parse.ts';
import type { Traffic } from '../traffic.ts';

/** A parsed entry of a HAR file. */
export interface HarExchange extends Pick<Traffic, 'exchange' | 'startedAt' | 'unjudged'> {
  /** Its place, in words: `entry 3 of session.har`. */
  readonly place: string;
  /** Scheme and authority, in lower case, without a default port: `https://api.example.com`. */
  readonly origin: string;
}

/** Decodes a recording. Windows shells write UTF-16, with a byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  let encoding = 'utf-8';
  if (first === 0xff && second === 0xfe) encoding = 'utf-16le';
  if (first === 0xfe && second === 0xff) encoding = 'utf-16be';
  return new TextDecoder(encoding).decode(bytes);
}

/**
 * Reads the entries of a HAR 1.2 file of any tool; `name` is the file name to print. No digit of a body is lost,
 * because HAR stores bodies as texts.
 *
 * @throws ClocheError TRAFFIC_UNREADABLE if it is not JSON, with line and column, or not HAR
 */
export function readHar(bytes: Uint8Array, name: string): readonly HarExchange[] {
  const text = decodeText(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const { reason, line, column } = toSyntaxProblem(text, error);
    const remedy = 'Save the recording again, as HAR 1.2, which is JSON';
    throw unreadable(`${name}:${line}:${column}`, reason, remedy);
  }
  const entries = memberOf(memberOf(value, 'log'), 'entries');
  if (!Array.isArray(entries)) {
    const isPostman = /postman/iu.test(textOf(memberOf(value, 'info'), 'schema') ?? '');
    if (isPostman) {
      const reason = 'it is a Postman collection, which Cloche does not read';
      throw unreadable(name, reason, 'Send its requests through cloche proxy, or record a HAR 1.2 file');
    }
    throw unreadable(name, 'it has no list log.entries, so that it is no HAR file', 'Name a HAR 1.2 file');
  }
  return entries.map((entry: unknown, index) => readHarEntry(entry, `entry ${index + 1} of ${name}`));
}

/** Creates the error for a recording that cannot be read. */
export function unreadable(subject: string, reason: string, remedy: string): ClocheError {
  return new ClocheError('TRAFFIC_UNREADABLE', { attempt: 'read the traffic', subject, reason, remedy });
}

/** Matches scheme and authority, then path and query; the fragment is never sent (RFC 3986 §3.5). */
const form = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)([^#]*)/iu;

/** Reads an entry of a browser or another tool. Missing information is reported, not generated. */
function readHarEntry(entry: unknown, place: string): HarExchange {
  const request = memberOf(entry, 'request');
  const [, authority = '', rest = ''] = form.exec(textOf(request, 'url') ?? '') ?? [];
  const sent = readHarRequest(request, rest.startsWith('/') ? rest : `/${rest}`);
  const came = readHarAnswer(memberOf(entry, 'response'), sent.request.method);
  const durationMs = Math.max(0, numberOf(entry, 'time') ?? 0);
  return {
    place,
    origin: originOf(authority),
    exchange: { request: sent.request, answer: came.answer, durationMs, ...readServiceTime(entry) },
    startedAt: Date.parse(textOf(entry, 'startedDateTime') ?? '') || 0,
    unjudged: whoElseAnswered(entry) ?? came.unjudged ?? sent.unjudged,
  };
}

/** Returns the time of an entry without its waits for a connection (HAR 1.2, timings). */
function readServiceTime(entry: unknown): { readonly serviceMs?: number } {
  const timings = memberOf(entry, 'timings');
  const [send = 0, wait = -1, receive = 0] = ['send', 'wait', 'receive'].map((name) =>
    numberOf(timings, name),
  );
  return wait < 0 ? {} : { serviceMs: Math.max(0, send) + wait + Math.max(0, receive) };
}

/** Returns the scheme and authority of a URL. By the URL standard, WebSockets have no separate origin. */
function originOf(authority: string): string {
  if (!URL.canParse(authority)) return authority.toLowerCase();
  const { protocol, host } = new URL(authority);
  return `${protocol}//${host}`;
}

/** Members of an entry that the service did not answer, and what answered instead. */
const others = {
  _fromCache: 'it was answered from a cache',
  _fetchedViaServiceWorker: 'a service worker answered it',
} as const;

function whoElseAnswered(entry: unknown): string | undefined {
  const isEnforced = (name: string): boolean =>
    ![undefined, false, null, ''].some((nothing) => nothing === memberOf(entry, name));
  return Object.entries(others).find(([name]) => isEnforced(name))?.[1];
}

/** Methods whose requests have no content unless a request declares it. */
const usuallyEmpty = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** Returns whether a request without content in the file is known to have had none. */
function hadNoBody(request: unknown, method: string, headers: HeaderList): boolean {
  const length = headerValue(headers, 'content-length');
  if (length !== undefined) return /^0+$/u.test(length);
  const size = numberOf(request, 'bodySize') ?? -1;
  return size === 0 || (size < 0 && usuallyEmpty.has(method));
}

/** Reads the request of an entry. If the file does not contain all of it, `unjudged` is the reason. */
function readHarRequest(
  request: unknown,
  target: string,
): { readonly request: HttpRequest; readonly unjudged: string | undefined } {
  const method = textOf(request, 'method') ?? '';
  const postData = memberOf(request, 'postData');
  const body = readPostData(postData);
  const headers = addContentType(readHarHeaders(request), postData);
  const isLost = body.kind === 'absent' && !hadNoBody(request, method, headers);
  const why = isLost ? 'the content of its request is not in the file' : undefined;
  const content = body.kind === 'bytes' && body.bytes.length > 0 ? body.bytes : undefined;
  return {
    request: { method, target, headers, body: content },
    unjudged: body.kind === 'lost' ? body.why : why,
  };
}

/** Returns whether a response without content in the file is known to have had none (RFC 9110 §6.4.1). */
function hadNoContent(response: unknown, method: string, headers: HeaderList): boolean {
  const status = numberOf(response, 'status') ?? 0;
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return true;
  const length = headerValue(headers, 'content-length');
  const size = numberOf(memberOf(response, 'content'), 'size') ?? -1;
  return length === undefined ? size === 0 && numberOf(response, 'bodySize') === 0 : /^0+$/u.test(length);
}

/**
 * Reads the response of an entry to a request with the given method. HAR 1.2 stores content without its codings, even
 * if there is a Content-Encoding. If the file does not contain all of the response, `unjudged` is the reason.
 */
function readHarAnswer(
  response: unknown,
  method: string,
): { readonly answer: Answer; readonly unjudged: string | undefined } {
  const status = numberOf(response, 'status') ?? 0;
  if (status === 0) {
    const reason = 'no answer was recorded';
    return { answer: { kind: 'unreachable', reason }, unjudged: reason };
  }
  const content = memberOf(response, 'content');
  const recorded = readHarHeaders(response);
  const headers = addContentType(recorded, content);
  const body = readHarBody(content);
  const bytes = body.kind === 'bytes' ? body.bytes : new Uint8Array();

  function whyUnchecked(): string | undefined {
    if (headerValue(headers, 'non-authoritative-reason') !== undefined) {
      return 'the browser answered it itself';
    }
    // Some tools write an empty text if they kept no content.
    const isEmpty = body.kind === 'absent' || (body.kind === 'bytes' && bytes.length === 0);
    const length = Number(headerValue(headers, 'content-length') ?? 0);
    const isLost = isEmpty && (length > 0 || body.kind === 'absent');
    if (isLost && !hadNoContent(response, method, headers)) {
      return 'the content of its answer is not in the file';
    }
    if (recorded.length === 0) return 'the header fields of its answer are not in the file';
    return body.kind === 'lost' ? body.why : undefined;
  }
  const answer: Answer = { kind: 'response', response: { status, headers, body: bytes } };
  return { answer, unjudged: whyUnchecked() };
}

/** A body in a HAR file; `lost` gives the reason why its bytes are unknown. */
type HarBody =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'absent' }
  | { readonly kind: 'lost'; readonly why: string };

/** Matches a lone surrogate, and the character that replaces unreadable bytes. */
const replaced = /[\p{Surrogate}\uFFFD]/u;

/**
 * Reads `content` of a response, or `postData` of a request (HAR 1.2). HAR stores characters, whatever their encoding
 * was: the bytes are UTF-8 here.
 */
function readHarBody(holder: unknown): HarBody {
  const text = textOf(holder, 'text');
  if (text === undefined) return { kind: 'absent' };
  // The reports of Cloche shorten long content, and mark it.
  if (memberOf(holder, '_cut') === true)
    return { kind: 'lost', why: 'only the beginning of its content is in the file' };
  // HAR has `encoding` only for responses; the reports of Cloche specify it for requests too.
  const encoding = textOf(holder, 'encoding') ?? textOf(holder, '_encoding');
  if (encoding === 'base64') {
    try {
      const characters = atob(text.replaceAll(/\s/gu, ''));
      return { kind: 'bytes', bytes: Uint8Array.from(characters, (character) => character.charCodeAt(0)) };
    } catch {
      return { kind: 'lost', why: 'its content is not in base64, though the file says so' };
    }
  }
  return replaced.test(text)
    ? { kind: 'lost', why: 'its content was not kept byte for byte' }
    : { kind: 'bytes', bytes: new TextEncoder().encode(text) };
}

/** Reads `postData`: its text, or the fields of a form that some tools write instead. */
function readPostData(postData: unknown): HarBody {
  const body = readHarBody(postData);
  const params = itemsOf(postData, 'params');
  const isEmpty = body.kind === 'absent' || (body.kind === 'bytes' && body.bytes.length === 0);
  if (!isEmpty || params.length === 0) return body;
  const mediaType = textOf(postData, 'mimeType') ?? '';
  if (!/^application\/x-www-form-urlencoded/iu.test(mediaType)) {
    return { kind: 'lost', why: 'the content of its request is in the file only part by part' };
  }
  const fields = new URLSearchParams();
  params.forEach((param) => fields.append(textOf(param, 'name') ?? '', textOf(param, 'value') ?? ''));
  return { kind: 'bytes', bytes: new TextEncoder().encode(fields.toString()) };
}

/**
 * Reads header fields. HTTP/2 fields that begin with a colon are left out: they are no fields, but the start of the
 * message (RFC 9113 §8.3). Fields of one name that a browser joined with line ends are split.
 */
function readHarHeaders(message: unknown): HeaderList {
  return itemsOf(message, 'headers').flatMap((field) => {
    const name = textOf(field, 'name') ?? '';
    const value = textOf(field, 'value') ?? '';
    return name === '' || name.startsWith(':')
      ? []
      : value.split('\n').map((line) => [name, line.trim()] as const);
  });
}

/** Adds the media type if no fields are there. A browser omits an unknown type, and some tools omit all fields. */
function addContentType(headers: HeaderList, content: unknown): HeaderList {
  const mediaType = textOf(content, 'mimeType') ?? '';
  return headers.length > 0 || mediaType === '' ? headers : [['Content-Type', mediaType]];
}

/** Returns a member of a JSON value; undefined if there is none. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? // `as`: an object that has the member.
      (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** Returns a member that is a text. */
export function textOf(value: unknown, name: string): string | undefined {
  const text = memberOf(value, name);
  return typeof text === 'string' ? text : undefined;
}

/** Returns a member that is a number. */
export function numberOf(value: unknown, name: string): number | undefined {
  const number = memberOf(value, name);
  return typeof number === 'number' ? number : undefined;
}

/** Returns the items of a member that is a list; none if it is not. */
export function itemsOf(value: unknown, name: string): readonly unknown[] {
  const items: unknown = memberOf(value, name);
  return Array.isArray(items) ? items : [];
}
