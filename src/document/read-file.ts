import { channel, type Channel } from 'node:diagnostics_channel';
import { constants, createReadStream, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The maximum size of a text in bytes: more than anyone writes, and small enough for a process. */
const mostBytes = 256 * 1_024 ** 2;
/** Time limit for reading a file, in milliseconds: a network disk may not respond. */
const patienceMs = 30_000;
const pieceBytes = 1_024 ** 2;

function checkLength(length: number): void {
  if (length > mostBytes) throw new Error(`it is longer than ${mostBytes / 1_024 ** 2} MiB`);
}

/** Joins pieces of a stream that may never end. @throws Error if they are longer than the limit for a text */
export async function collectBytes(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of pieces) {
    chunks.push(chunk);
    length += chunk.length;
    checkLength(length);
  }
  return Buffer.concat(chunks, length);
}

/** Waits for a result. @throws Error if it takes longer than `ms` milliseconds */
export async function waitAtMost<T>(ms: number, result: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it was not read within ${ms / 1_000} seconds`)), ms);
  });
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}

function checkKind(found: Stats): void {
  const isPipe = !found.isFile() && !found.isDirectory();
  if (isPipe) throw new Error('it is a pipe or a device, which may never end');
  checkLength(found.size);
}

async function* readRegularFile(file: string | URL): AsyncGenerator<Uint8Array> {
  // Opening a device may have side effects.
  checkKind(await stat(file));
  // The file may have been replaced by a pipe. Without the flag, opening a pipe waits for a writer.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    checkKind(await handle.stat());
    yield* handle.createReadStream({ highWaterMark: pieceBytes, autoClose: false });
  } finally {
    await handle.close();
  }
}

/** Options for reading a file. */
export interface FileOptions {
  /**
   * Whether it may be a pipe (`/dev/stdin`, `<(…)`) or a device, like a file that the user names at the start. Reading
   * a pipe has no time limit; reading other files has one. @defaultValue true
   */
  readonly mayBePipe?: boolean | undefined;
}

/** Publishes the path of each file that is read. The command line subscribes, to protect its input files. */
export const fileReads: Channel = channel('cloche:file-read');

/**
 * Reads a file.
 *
 * @throws Error as node:fs does, and if the file is too long, takes too long, or is a pipe and pipes are not allowed
 */
export function readFileBytes(
  file: string | URL,
  { mayBePipe = true }: FileOptions = {},
): Promise<Uint8Array> {
  fileReads.publish(file instanceof URL ? fileURLToPath(file) : resolve(file));
  return mayBePipe
    ? collectBytes(createReadStream(file, { highWaterMark: pieceBytes }))
    : waitAtMost(patienceMs, collectBytes(readRegularFile(file)));
}
