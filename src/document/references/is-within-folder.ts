import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Whether a file lies in the folder of another or below it, links followed: a link in the folder that leads
 * out of it does not.
 *
 * @param url - of the file in question; one that there is not lies where its path says, and one that no path can name
 *   (`..%2Fapi.yaml`, `file://host/api.yaml`) in no folder
 * @param document - of the file whose folder is meant
 */
export async function isWithinFolder(url: URL, document: URL): Promise<boolean> {
  if (url.protocol !== 'file:' || document.protocol !== 'file:') {
    return false;
  }
  const file = toPath(url);
  if (file === undefined) {
    return false;
  }
  const path = relative(await settle(dirname(fileURLToPath(document))), await settle(file));
  return !isAbsolute(path) && path !== '..' && !/^\.\.[/\\]/u.test(path);
}

function toPath(url: URL): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

async function settle(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : `${await settle(folder)}${path.slice(folder.length)}`;
  }
}
