/** Header fields in the order and spelling in which they travelled. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Reads names and values in turn, as Node has them in `rawHeaders`, as a list of fields. */
export function toHeaderList(fields: readonly string[]): HeaderList {
  const at = (index: number): string => fields[index] ?? '';
  return Array.from({ length: fields.length >> 1 }, (_, index) => [at(index * 2), at(index * 2 + 1)]);
}

/** The value of a field, several of one name joined with a comma (RFC 9110 §5.3); the name in any case. */
export function headerValue(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase();
  let joined: string | undefined;
  // Asked several times for each exchange, so no list is made.
  for (const [field, value] of headers) {
    if (field.length === wanted.length && field.toLowerCase() === wanted) {
      joined = joined === undefined ? value : `${joined}, ${value}`;
    }
  }
  return joined;
}

/** A token, such as a method or the name of a field (RFC 9110 §5.6.2). */
export const tokenForm: RegExp = /^[!#$%&'*+.^_`|~\w-]+$/u;

/**
 * Fields that say how a message is framed, or belong to one connection, in lower case: the transport alone can say that
 * (RFC 9110 §6.6.2, §7.6.1, RFC 9112 §6).
 */
export const framingFields: ReadonlySet<string> = new Set(
  'connection content-length keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(' '),
);

/**
 * The text of a field that holds more than visible ASCII, and spaces within, as it may be sent: percent-encoded in UTF-8
 * (RFC 3986 §2.1). Any other stays as it is.
 */
export function toFieldValue(text: string): string {
  return /^(?:[!-~]+(?:[\t ]+[!-~]+)*)?$/u.test(text)
    ? text
    : text
        .replaceAll(/\p{Surrogate}/gu, '\uFFFD')
        .replaceAll(/%|[^\t -~]|^[\t ]+|[\t ]+$/gu, (found) => encodeURIComponent(found));
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Whether a method changes nothing (RFC 9110 §9.2.1). */
export function isSafeMethod(method: string): boolean {
  return safeMethods.has(method);
}

/** Adds fields to those of a request, after them, but for names that the request has already. */
export function addDefaultHeaders(headers: HeaderList, defaults: HeaderList): HeaderList {
  if (defaults.length === 0) return headers;
  return [...headers, ...defaults.filter(([name]) => headerValue(headers, name) === undefined)];
}

/** Why the content of a response stayed in a content coding. */
export interface ContentFault {
  readonly coding: string;
  /** The content is not in it, or it is none that is known here. */
  readonly reason: 'broken' | 'unknown';
}

/** A response as it came, after its transfer coding was taken off. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: HeaderList;
  /** The content. Over the network gzip, deflate and br are taken off it; Content-Encoding stays. */
  readonly body: Uint8Array;
  /** Where a content coding could not be taken off: the body is as it came then. */
  readonly undecoded?: ContentFault;
  /** How many bytes are read of longer content; the body is but a beginning of it then, as it came. */
  readonly cutAfter?: number;
}

/** As much of content that is longer than is read is kept, to be shown. */
const mostKept = 64 * 1024;

/** A response whose content is longer than is read, with a beginning of it that breaks off at no half of a character. */
export function cutResponse(
  response: Pick<HttpResponse, 'status' | 'headers' | 'body'>,
  cutAfter: number,
): HttpResponse {
  const { status, headers, body } = response;
  let end = Math.min(mostKept, body.length);
  while (end < body.length && end > 0 && ((body[end] ?? 0) & 0xc0) === 0x80) {
    end -= 1;
  }
  // A copy, so that the rest can go.
  return { status, headers, body: Uint8Array.from(body.subarray(0, end)), cutAfter };
}

/** What came of a request. Whatever is no response holds the bytes that had arrived by then. */
export type Answer =
  | {
      readonly kind: 'response';
      readonly response: HttpResponse;
      /** What came after the end of the response, where the send sees that: over a raw connection alone. */
      readonly trailing?: Uint8Array;
    }
  | { readonly kind: 'timed-out'; readonly afterMs: number; readonly received: Uint8Array }
  | { readonly kind: 'dropped'; readonly reason: string; readonly received: Uint8Array }
  | { readonly kind: 'not-http'; readonly reason: string; readonly received: Uint8Array }
  /** No connection came about, so that nothing was sent. */
  | { readonly kind: 'unreachable'; readonly reason: string };

/** A request as it leaves: nothing in it is decoded or normalised. */
export interface HttpRequest {
  /** As it is sent; methods are case-sensitive (RFC 9110 §9.1). */
  readonly method: string;
  /** Path and query below the base URL, percent-encoded, starting with a slash. */
  readonly target: string;
  readonly headers: HeaderList;
  /** The content, or undefined where there is none. */
  readonly body: Uint8Array | undefined;
}

/** A request and what came of it. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly answer: Answer;
  /** From the first byte sent to the last byte received, in milliseconds. */
  readonly durationMs: number;
}

const methods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Whether a request of this method says `Content-Length: 0` where it has no content (RFC 9110 §8.6). */
export function expectsContent(method: string): boolean {
  return methods.has(method);
}

/** Where requests go, and how long an answer is waited for. */
export interface SendTarget {
  /** An http: or https: URL. Its path stands before the target of each request; its query is not used. */
  readonly baseUrl: URL;
  /** For a connection, and then again for the whole answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether any certificate of the service is accepted. @defaultValue false */
  readonly insecure?: boolean;
  /** Certificates in PEM form that are trusted in place of the well-known ones. */
  readonly ca?: string;
  /** Fields sent with each request that does not have a field of that name itself. */
  readonly headers?: HeaderList;
  /** Bytes of content to read, content codings taken off. @defaultValue {@link usualResponseLimit} */
  readonly responseLimit?: number;
}

/** 16 MiB. */
export const usualResponseLimit: number = 16 * 1024 * 1024;

/**
 * How the content of a request is framed on the wire: in one piece with its length, in chunks
 * (RFC 9112 §7.1), or with its length but over several packets.
 */
export type Framing = 'content-length' | 'chunked' | 'several-packets';

/** What a request is sent with, besides itself. */
export interface SendOptions {
  /** Ends the wait; the answer is then `timed-out`. */
  readonly signal?: AbortSignal;
  /** @defaultValue 'content-length' */
  readonly framing?: Framing;
}

/**
 * Sends one request and says what came of it. The in-process mock is one, a real base URL another.
 *
 * It never rejects for what the network or the service does, and never follows a redirect.
 */
export type Send = (request: HttpRequest, options?: SendOptions) => Promise<Answer>;
