import { createReadStream } from 'node:fs';

/** What is read of a text at most, in bytes: more than anybody writes, and no more than a process can hold. */
const mostBytes = 256 * 1_024 ** 2;

/** Puts pieces together, of which there may be no end. @throws Error where they are longer than is read of a text */
export async function collectBytes(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of pieces) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > mostBytes) throw new Error(`it is longer than ${mostBytes / 1_024 ** 2} MiB`);
  }
  return Buffer.concat(chunks, length);
}

/**
 * Reads a file that a user names, which may be a pipe (`/dev/stdin`, `<(…)`), or a device that never ends.
 *
 * @throws Error as node:fs does, and where it is longer than is read of a text
 */
export function readFileBytes(file: string | URL): Promise<Uint8Array> {
  return collectBytes(createReadStream(file, { highWaterMark: 1_024 ** 2 }));
}
