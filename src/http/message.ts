/** Header fields in their original order and spelling. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Converts alternating names and values, as in `rawHeaders` of Node, to a list of fields. */
export function toHeaderList(fields: readonly string[]): HeaderList {
  // Called for each response. Array.from would take many times longer.
  const list: (readonly [string, string])[] = [];
  for (let index = 1; index < fields.length; index += 2)
    list.push([fields[index - 1] ?? '', fields[index] ?? '']);
  return list;
}

/** Returns the value of a field; several are joined with commas (RFC 9110 §5.3). The name is case-insensitive. */
export function headerValue(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase();
  let joined: string | undefined;
  // Called several times for each exchange. Therefore it creates no list.
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
 * Fields about the framing of a message or about one connection, in lower case. Only the transport can set them (RFC
 * 9110 §6.6.2, §7.6.1, RFC 9112 §6).
 */
export const framingFields: ReadonlySet<string> = new Set(
  'connection content-length keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(' '),
);

/**
 * Returns a field value that can be sent. A text with other characters than visible ASCII and inner spaces is
 * percent-encoded in UTF-8 (RFC 3986 §2.1); any other is unchanged.
 */
export function toFieldValue(text: string): string {
  return /^(?:[!-~]+(?:[\t ]+[!-~]+)*)?$/u.test(text)
    ? text
    : text
        .replaceAll(/\p{Surrogate}/gu, '\uFFFD')
        .replaceAll(/%|[^\t -~]|^[\t ]+|[\t ]+$/gu, (found) => encodeURIComponent(found));
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY']);

/** Returns whether a method changes nothing (RFC 9110 §9.2.1; for QUERY, draft-ietf-httpbis-safe-method-w-body). */
export function isSafeMethod(method: string): boolean {
  return safeMethods.has(method);
}

/** Appends default fields to those of a request, except for names that the request already has. */
export function addDefaultHeaders(headers: HeaderList, defaults: HeaderList): HeaderList {
  if (defaults.length === 0) return headers;
  return [...headers, ...defaults.filter(([name]) => headerValue(headers, name) === undefined)];
}

/** The reason why the content of a response could not be decoded. */
export interface ContentFault {
  readonly coding: string;
  /** The content is broken, or the coding is unknown. */
  readonly reason: 'broken' | 'unknown';
}

/** A response, after its transfer coding was decoded. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: HeaderList;
  /** The content. Over the network, gzip, deflate and br are decoded; Content-Encoding stays. */
  readonly body: Uint8Array;
  /** Set if a content coding could not be decoded; the body is then unchanged. */
  readonly undecoded?: ContentFault;
  /** The limit that the content exceeded; the body is then only its beginning, not decoded. */
  readonly cutAfter?: number;
}

/** How much of too long content is kept for display. */
const mostKept = 64 * 1024;

/** Creates a response with too long content. Its body is a beginning that does not end inside a character. */
export function cutResponse(
  response: Pick<HttpResponse, 'status' | 'headers' | 'body'>,
  cutAfter: number,
): HttpResponse {
  const { status, headers, body } = response;
  let end = Math.min(mostKept, body.length);
  while (end < body.length && end > 0 && ((body[end] ?? 0) & 0xc0) === 0x80) {
    end -= 1;
  }
  // A copy, which lets the rest be garbage-collected.
  return { status, headers, body: Uint8Array.from(body.subarray(0, end)), cutAfter };
}

/** The outcome of a request. Failed outcomes contain the bytes received so far. */
export type Answer =
  | {
      readonly kind: 'response';
      readonly response: HttpResponse;
      /** Bytes after the end of the response, if the send can detect them: only over a raw connection. */
      readonly trailing?: Uint8Array;
      /** The content as it arrives, for a send that passes streams; the body is then empty, and nothing is decoded. */
      readonly stream?: ReadableStream<Uint8Array> | undefined;
    }
  | { readonly kind: 'timed-out'; readonly afterMs: number; readonly received: Uint8Array }
  | { readonly kind: 'dropped'; readonly reason: string; readonly received: Uint8Array }
  | { readonly kind: 'not-http'; readonly reason: string; readonly received: Uint8Array }
  /** The connection failed and nothing was sent. The remedy is for a cause other than the service. */
  | { readonly kind: 'unreachable'; readonly reason: string; readonly remedy?: string | undefined };

/** A request as it is sent: nothing is decoded or normalized. */
export interface HttpRequest {
  /** The exact method; methods are case-sensitive (RFC 9110 §9.1). */
  readonly method: string;
  /** Path and query below the base URL, percent-encoded, starting with a slash. */
  readonly target: string;
  readonly headers: HeaderList;
  /** The content, or undefined if there is none. */
  readonly body: Uint8Array | undefined;
}

/** A request and its outcome. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly answer: Answer;
  /** From the first byte sent to the last byte received, in milliseconds. */
  readonly durationMs: number;
  /** The same if `durationMs` also includes waits of the client, as in a recording. @defaultValue durationMs */
  readonly serviceMs?: number;
}

const methods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Returns whether a request with this method and no content sends `Content-Length: 0` (RFC 9110 §8.6). */
export function expectsContent(method: string): boolean {
  return methods.has(method);
}

/** The service to send requests to, and its time-outs. */
export interface SendTarget {
  /** An http: or https: URL. Its path is the prefix of each request target; its query is not used. */
  readonly baseUrl: URL;
  /** Time-out for a connection, and again for the whole response, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether any certificate of the service is accepted. @defaultValue false */
  readonly insecure?: boolean;
  /** Trusted certificates in PEM form, instead of the well-known ones. */
  readonly ca?: string;
  /** The certificate that the client presents to the service, PEM; it needs `clientKey`. @defaultValue none */
  readonly clientCert?: string | undefined;
  /** The private key of `clientCert`, PEM. */
  readonly clientKey?: string | undefined;
  /** The outgoing proxy, an http: or https: URL, with its credentials. @defaultValue none */
  readonly proxy?: URL | undefined;
  /** Fields sent with each request that has no field of that name. */
  readonly headers?: HeaderList;
  /** Maximum bytes of decoded content to read. @defaultValue {@link usualResponseLimit} */
  readonly responseLimit?: number;
}

/** The default limit of content: 16 MiB. */
export const usualResponseLimit: number = 16 * 1024 * 1024;

/**
 * The framing of request content on the wire: in one piece with its length, in chunks (RFC 9112 §7.1), or with its
 * length but over several packets.
 */
export type Framing = 'content-length' | 'chunked' | 'several-packets';

/** Options for sending a request. */
export interface SendOptions {
  /** Aborts the wait; the answer is then `timed-out`. It also aborts a response whose stream passes. */
  readonly signal?: AbortSignal;
  /** Whether content that may take long passes as a stream, instead of being cut. Only `createUrlSend` can do that. */
  readonly passesStreams?: boolean;
  /** @defaultValue 'content-length' */
  readonly framing?: Framing;
  /**
   * Called with the time from sending the request to the end of its response, in milliseconds, before the answer is
   * returned. A send that does not measure it never calls it.
   */
  readonly onTook?: (ms: number) => void;
}

/**
 * Sends one request and returns its outcome. The in-process mock is one, a real base URL another.
 *
 * It never rejects because of the network or the service, and never follows a redirect.
 */
export type Send = (request: HttpRequest, options?: SendOptions) => Promise<Answer>;
