import { type HeaderList, headerValue, type HttpResponse, tokenForm } from './message.ts';
import { isSuccessStatus } from './status.ts';

/** The result of parsing the bytes received on a connection. */
export type ResponseReading =
  /** `trailing` contains bytes after the end of the message. Content codings are not decoded. */
  | { readonly kind: 'response'; readonly response: HttpResponse; readonly trailing: Uint8Array }
  /** No error so far; `missing` describes the part that has not arrived. */
  | {
      readonly kind: 'incomplete';
      readonly missing: string;
      readonly part: ResponsePart;
      /** The response so far, if its head is complete, with the raw content, chunk framing included. */
      readonly begun?: HttpResponse;
    }
  | { readonly kind: 'not-http'; readonly reason: string; readonly part: ResponsePart };

/** The part in which a response is invalid or ends; `rest` is content that lasts until the connection ends. */
export type ResponsePart = 'head' | 'content-length' | 'chunks' | 'rest';

/**
 * Parses the bytes received on a connection as one HTTP/1.1 response (RFC 9112 §2 to §7), and skips interim responses
 * (RFC 9110 §15.2). Any status of three digits is accepted, including 000 and 999, for the checks to report. A field
 * value has one character per byte. Responses to HEAD and CONNECT have no content (RFC 9112 §6.3). Content without a
 * length is complete when the connection ends.
 */
export function readHttpResponse(input: {
  readonly bytes: Uint8Array;
  readonly method: string;
  readonly ended: boolean;
}): ResponseReading {
  const { bytes, method, ended } = input;
  if (bytes.length === 0) return { kind: 'incomplete', missing: 'all of it', part: 'head' };
  let head = readHead(bytes, 0);
  while (head.kind === 'head' && head.status >= 100 && head.status < 200 && head.status !== 101) {
    if (head.end === bytes.length) {
      return { kind: 'incomplete', missing: 'the answer after an interim one', part: 'head' };
    }
    head = readHead(bytes, head.end);
  }
  if (head.kind !== 'head') return head;
  const { status, headers, end } = head;
  const rest = bytes.subarray(end);
  if (hasNoContent(method, status)) {
    return { kind: 'response', response: { status, headers, body: new Uint8Array() }, trailing: rest };
  }
  const content = readContent(rest, head, ended);
  return content.kind === 'incomplete' ? { ...content, begun: { status, headers, body: rest } } : content;
}

interface Head {
  readonly kind: 'head';
  readonly status: number;
  readonly headers: HeaderList;
  /** The start of the content. */
  readonly end: number;
}

const statusLine = /^HTTP\/1\.\d (\d{3})(?: [^\r\n]*)?$/u;
const blank = /^[ \t]$/u;
// RFC 9110 §5.5: with these characters, the author of a value could inject fields and content.
const breakOut = /[\0\r\n]/u;
const shownLength = 40;

/** Removes the white space allowed around a field value (RFC 9110 §5.6.3), and nothing else. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && blank.test(text.charAt(start))) {
    start += 1;
  }
  while (end > start && blank.test(text.charAt(end - 1))) {
    end -= 1;
  }
  return text.slice(start, end);
}

function notHttp(reason: string): { kind: 'not-http'; reason: string; part: 'head' } {
  return { kind: 'not-http', reason, part: 'head' };
}

function quote(text: string): string {
  return JSON.stringify(text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);
}

function readHead(bytes: Uint8Array, start: number): Head | Exclude<ResponseReading, { kind: 'response' }> {
  // One character per byte, like the field values of a header list.
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.length - start);
  const end = buffer.indexOf('\r\n\r\n', 0, 'latin1');
  const text = buffer.toString('latin1', 0, end === -1 ? undefined : end);
  const beginning = 'HTTP/1.';
  if (!text.startsWith(beginning.slice(0, text.length))) {
    return notHttp(`the answer begins with ${quote(text)} and not with a status line of HTTP/1.1`);
  }
  const [first = '', ...lines] = text.split('\r\n');
  const isFirstWhole = end !== -1 || lines.length > 0;
  const status = statusLine.exec(first)?.[1];
  if (isFirstWhole && status === undefined) return notHttp(`${quote(first)} is no status line`);
  if (end === -1 || status === undefined) {
    if (text.includes('\n\n') || text.includes('\n\r\n')) {
      return notHttp('its lines end with a bare line feed');
    }
    const missing = isFirstWhole ? 'the rest of its header section' : 'its status line';
    return { kind: 'incomplete', missing, part: 'head' };
  }
  const headers: (readonly [string, string])[] = [];
  for (const line of lines) {
    // RFC 9112 §5.2: a user agent joins a folded line to the line before.
    const last = headers.at(-1);
    if (last !== undefined && blank.test(line.charAt(0))) {
      headers[headers.length - 1] = [last[0], `${last[1]} ${trimBlanks(line)}`.trim()];
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon));
    if (!tokenForm.test(name)) return notHttp(`${quote(line)} is no header field`);
    const value = trimBlanks(line.slice(colon + 1));
    if (breakOut.test(value)) return notHttp(`the value of ${name} holds a line break or NUL`);
    headers.push([name, value]);
  }
  return { kind: 'head', status: Number(status), headers, end: start + end + 4 };
}

/** @returns NaN if the field is not a valid length (RFC 9110 §8.6) */
function contentLength(headers: HeaderList): number | undefined {
  const value = headerValue(headers, 'content-length');
  if (value === undefined) return undefined;
  const lengths = new Set(value.split(',').map((item) => item.trim()));
  const [only = ''] = lengths;
  return lengths.size === 1 && /^\d+$/u.test(only) ? Number(only) : Number.NaN;
}

function hasNoContent(method: string, status: number): boolean {
  const isTunnel = method === 'CONNECT' && isSuccessStatus(status);
  return method === 'HEAD' || (status >= 100 && status < 200) || status === 204 || status === 304 || isTunnel;
}

function readContent(rest: Uint8Array, { status, headers }: Head, ended: boolean): ResponseReading {
  const whole = (body: Uint8Array, trailing: Uint8Array): ResponseReading => ({
    kind: 'response',
    response: { status, headers, body },
    trailing,
  });
  const coding = headerValue(headers, 'transfer-encoding')?.toLowerCase();
  if (coding !== undefined && /(?:^|,)[ \t]*chunked[ \t]*$/u.test(coding)) {
    const chunked = chunkedContent(rest);
    return chunked.kind === 'content'
      ? whole(chunked.content, chunked.trailing)
      : { ...chunked, part: 'chunks' };
  }
  const length = coding === undefined ? contentLength(headers) : undefined;
  if (length === undefined) {
    const missing = 'the end of its content, which the end of the connection marks';
    return ended ? whole(rest, new Uint8Array()) : { kind: 'incomplete', missing, part: 'rest' };
  }
  if (Number.isNaN(length)) {
    const reason = `${quote(headerValue(headers, 'content-length') ?? '')} is no Content-Length`;
    return { kind: 'not-http', reason, part: 'content-length' };
  }
  if (rest.length < length) {
    const missing = `${length - rest.length} of the ${length} bytes of its content`;
    return { kind: 'incomplete', missing, part: 'content-length' };
  }
  return whole(rest.subarray(0, length), rest.subarray(length));
}

type ChunkedReading =
  | { readonly kind: 'content'; readonly content: Uint8Array; readonly trailing: Uint8Array }
  | { readonly kind: 'incomplete'; readonly missing: string }
  | { readonly kind: 'not-http'; readonly reason: string };

const chunkSize = /^([0-9A-Fa-f]{1,13})[ \t]*(?:;.*)?$/su;
const incomplete: ChunkedReading = { kind: 'incomplete', missing: 'the last chunk of its content' };

/** Decodes the chunked transfer coding (RFC 9112 §7.1). Chunk extensions and trailer fields are ignored. */
function chunkedContent(bytes: Uint8Array): ChunkedReading {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Uint8Array[] = [];
  let position = 0;
  for (;;) {
    const lineEnd = buffer.indexOf('\r\n', position, 'latin1');
    if (lineEnd === -1) return incomplete;
    const line = buffer.toString('latin1', position, lineEnd);
    const digits = chunkSize.exec(line)?.[1];
    if (digits === undefined) {
      return { kind: 'not-http', reason: `${JSON.stringify(line.slice(0, 40))} is no size of a chunk` };
    }
    const start = lineEnd + 2;
    const end = start + Number.parseInt(digits, 16);
    if (end === start) return lastChunk(buffer, start, chunks);
    if (buffer.length < end + 2) return incomplete;
    if (buffer.toString('latin1', end, end + 2) !== '\r\n') {
      return { kind: 'not-http', reason: 'a chunk is longer than its size' };
    }
    chunks.push(buffer.subarray(start, end));
    position = end + 2;
  }
}

function lastChunk(buffer: Buffer, trailerStart: number, chunks: readonly Uint8Array[]): ChunkedReading {
  let position = trailerStart;
  for (;;) {
    const lineEnd = buffer.indexOf('\r\n', position, 'latin1');
    if (lineEnd === -1) return incomplete;
    if (lineEnd === position) {
      return { kind: 'content', content: Buffer.concat(chunks), trailing: buffer.subarray(lineEnd + 2) };
    }
    position = lineEnd + 2;
  }
}
