import { joinBytes, textBytes } from './bytes.ts';
import { expectsContent, type Framing, type HeaderList, type HttpRequest } from './message.ts';

const mostPieces = 4;

/**
 * Cuts content into up to four pieces of about one length, none of them empty. A cut may fall inside a
 * character: that is what a reader of a stream has to bear.
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
 * Writes a request as it travels in HTTP/1.1 (RFC 9112 §3 to §7), the header section with the first piece of
 * content. Host (`authority`), `Connection: close` and the field that frames the content are added unless the
 * request has them itself; then its own stand, true or not. `prefix` stands before its target.
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
  // Each field by itself: one that is wide leaves the others as they are.
  const head = lines.map((line) => textBytes(`${line}\r\n`));
  return [joinBytes([...head, textBytes('\r\n'), first]), ...others];
}
