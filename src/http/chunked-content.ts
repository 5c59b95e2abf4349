/** What bytes in the chunked transfer coding amount to. */
export type ChunkedReading =
  | { readonly kind: 'content'; readonly content: Uint8Array; readonly trailing: Uint8Array }
  | { readonly kind: 'incomplete'; readonly missing: string }
  | { readonly kind: 'not-http'; readonly reason: string };

const chunkSize = /^([0-9A-Fa-f]{1,13})[ \t]*(?:;.*)?$/su;
const incomplete: ChunkedReading = { kind: 'incomplete', missing: 'the last chunk of its content' };

/**
 * Takes off the chunked transfer coding (RFC 9112 §7.1). Chunk extensions and trailer fields are passed over.
 *
 * @param bytes - from the first chunk on
 */
export function chunkedContent(bytes: Uint8Array): ChunkedReading {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Uint8Array[] = [];
  let position = 0;
  for (;;) {
    const lineEnd = buffer.indexOf('\r\n', position, 'latin1');
    if (lineEnd === -1) {
      return incomplete;
    }
    const line = buffer.toString('latin1', position, lineEnd);
    const digits = chunkSize.exec(line)?.[1];
    if (digits === undefined) {
      return { kind: 'not-http', reason: `${JSON.stringify(line.slice(0, 40))} is no size of a chunk` };
    }
    const start = lineEnd + 2;
    const end = start + Number.parseInt(digits, 16);
    if (end === start) {
      return lastChunk(buffer, start, chunks);
    }
    if (buffer.length < end + 2) {
      return incomplete;
    }
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
    if (lineEnd === -1) {
      return incomplete;
    }
    if (lineEnd === position) {
      return { kind: 'content', content: Buffer.concat(chunks), trailing: buffer.subarray(lineEnd + 2) };
    }
    position = lineEnd + 2;
  }
}
