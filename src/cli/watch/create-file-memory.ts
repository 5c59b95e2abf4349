import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** A file that is being replaced may be gone for so long, in milliseconds, and so often it is looked for again. */
const goneForMs = 100;
const looks = 3;
/** A file system counts time in steps, in milliseconds. */
const stepMs = 10;

/** What files held when they were looked at last. */
export interface FileMemory {
  /**
   * Looks at files.
   *
   * @param since - when whoever asks began to read the files, in milliseconds since 1970: a file that is new to the
   *   memory may have changed where it was written about then or after it
   * @returns those that hold something else than at the last look, and those that may
   */
  readonly look: (files: Iterable<string>, since: number) => Promise<ReadonlyMap<string, Sighting>>;
}

/** Whether a file holds something else than before, as far as can be told. */
export type Sighting = 'changed' | 'may-have-changed';

/** What stands for the content of a file, or for there being none that can be read. */
async function digest(file: string, looksLeft: number): Promise<string> {
  try {
    return createHash('sha256')
      .update(await readFile(file))
      .digest('base64');
  } catch {
    if (looksLeft === 0) {
      return 'none';
    }
    await setTimeout(goneForMs);
    return digest(file, looksLeft - 1);
  }
}

/** When a file was written last, in milliseconds since 1970; undefined where there is none. */
async function timeOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? undefined : Math.max(found.ctimeMs, found.mtimeMs);
}

/** Remembers what files hold, so that one that was only touched has not changed. */
export function createFileMemory(): FileMemory {
  const digests = new Map<string, string>();
  return {
    async look(files, since) {
      const looked = await Promise.all(
        [...new Set(files)].map(async (file): Promise<readonly (readonly [string, Sighting])[]> => {
          const known = digests.get(file);
          const found = await digest(file, known === undefined || known === 'none' ? 0 : looks);
          digests.set(file, found);
          if (known === found) {
            return [];
          }
          // Only now: what is written while it is read would be missed otherwise.
          const written = await timeOf(file);
          if (known === undefined) {
            return written !== undefined && written > since - stepMs ? [[file, 'may-have-changed']] : [];
          }
          // What was written before may have been read as it is now.
          return [[file, written !== undefined && written <= since ? 'may-have-changed' : 'changed']];
        }),
      );
      return new Map(looked.flat());
    },
  };
}
