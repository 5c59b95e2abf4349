import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nameSource, pathOf, toSourceUrl } from '../document/source.ts';
import { ClocheError } from '../errors/cloche-error.ts';

/** Decides which files the tools may read: those below one folder, after links are resolved. */
export interface FileGuard {
  /** The URL of a file in the folder. */
  readonly base: URL;
  /**
   * Checks a text before it is read.
   *
   * @throws ClocheError REFERENCE_REFUSED for a URL, or a file outside the folder
   */
  readonly check: (url: URL) => void;
  /** Checks a path that a client named, and returns it. @throws ClocheError as check */
  readonly allow: (path: string) => string;
}

/** Returns the real path of a file; for a file that does not exist, its path as it is written. */
function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Creates the guard of a folder. */
export function createFileGuard(folder: string): FileGuard {
  const root = realpathSync(folder);

  function checkNamed(url: URL, name: string): void {
    const path = url.protocol === 'file:' ? pathOf(url) : undefined;
    const inside = path === undefined ? undefined : relative(root, resolveLinks(path));
    if (inside !== undefined && !isAbsolute(inside) && inside.split(sep)[0] !== '..') return;
    throw new ClocheError('REFERENCE_REFUSED', {
      attempt: 'read',
      subject: name,
      reason: inside === undefined ? 'it is no file' : `it is outside the folder ${root}`,
      remedy: `Name a file in the folder ${inside === undefined ? root : 'or below it'}`,
    });
  }

  return {
    base: pathToFileURL(join(root, 'document')),
    check: (url) => checkNamed(url, pathOf(url) ?? nameSource('', url, url)),
    allow(path) {
      const url = toSourceUrl(path);
      checkNamed(url, nameSource(path, url, url));
      return path;
    },
  };
}
