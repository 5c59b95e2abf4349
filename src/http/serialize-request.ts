import { joinBytes, textBytes } from './bytes.ts';
import { expectsContent, type Framing, type HeaderList, type HttpRequest } from './message.ts';

const mostPieces = 4;

/**
 * Splits content into up to four non-empty pieces of similar length. A cut may be inside a character, which stream
 * readers must handle.
 */
export function splitContent(content: Uint8Array): Uint8Array[] {
  const size = Math.max(1, Math.ceil(content.length / mostPieces));
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < content.length; start += size) {
    pieces.push(content.subarray(start, start + size));
  }
  return pieces;
}

function framingField(request: HttpRequest, framing: Framing): HeaderList {
  const length = request.body?.length ?? 0;
  if (length === 0) return expectsContent(request.method) ? [['Content-Length', '0']] : [];
  return framing === 'chunked' ? [['Transfer-Encoding', 'chunked']] : [['Content-Length', String(length)]];
}

function chunk(piece: Uint8Array): Uint8Array {
  return joinBytes([textBytes(`${piece.length.toString(16)}\r\n`), piece, textBytes('\r\n')]);
}

function toContentPieces(content: Uint8Array, framing: Framing): Uint8Array[] {
  if (content.length === 0) return [];
  if (framing === 'content-length') return [content];
  const pieces = splitContent(content);
  return framing === 'chunked' ? [...pieces.map(chunk), textBytes('0\r\n\r\n')] : pieces;
}

/**
 * Serializes a request for HTTP/1.1 (RFC 9112 §3 to §7), with the header section and the first piece of content
 * together. Host (`authority`), `Connection: close` and the field that frames the content are added unless the request
 * has them; its own values are used even if wrong. `prefix` precedes its target.
 */
export function serializeRequest(sending: {
  readonly request: HttpRequest;
  readonly authority: string;
  readonly prefix: string;
  readonly framing: Framing;
}): Uint8Array[] {
  const { request, authority, prefix, framing } = sending;
  const present = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const isFramed = present.has('content-length') || present.has('transfer-encoding');
  const fields: HeaderList = [
    ...(present.has('host') ? [] : [['Host', authority] as const]),
    ...(present.has('connection') ? [] : [['Connection', 'close'] as const]),
    ...request.headers,
    ...(isFramed ? [] : framingField(request, framing)),
  ];
  const lines = [
    `${request.method} ${prefix}${request.target} HTTP/1.1`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
  ];
  const [first = new Uint8Array(), ...others] = toContentPieces(request.body ?? new Uint8Array(), framing);
  // Each field is encoded separately: a field with wide characters does not affect the others.
  const head = lines.map((line) => textBytes(`${line}\r\n`));
  return [joinBytes([...head, textBytes('\r\n'), first]), ...others];
}
