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
   * @param since - a time in milliseconds since 1970: a file that is new to the memory has changed where it was written
   *   after it
   * @returns those that hold something else than at the last look
   */
  readonly look: (files: Iterable<string>, since: number) => Promise<ReadonlySet<string>>;
}

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

async function wasWrittenSince(file: string, since: number): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && Math.max(found.ctimeMs, found.mtimeMs) > since - stepMs;
}

/** Remembers what files hold, so that one that was only touched has not changed. */
export function createFileMemory(): FileMemory {
  const digests = new Map<string, string>();
  return {
    async look(files, since) {
      const looked = await Promise.all(
        [...new Set(files)].map(async (file) => {
          const known = digests.get(file);
          const found = await digest(file, known === undefined || known === 'none' ? 0 : looks);
          // Only now: what is written while it is read would be missed otherwise.
          const isNew = known === undefined && (await wasWrittenSince(file, since));
          digests.set(file, found);
          return { file, hasChanged: isNew || (known !== undefined && known !== found) };
        }),
      );
      return new Set(looked.filter(({ hasChanged }) => hasChanged).map(({ file }) => file));
    },
  };
}
