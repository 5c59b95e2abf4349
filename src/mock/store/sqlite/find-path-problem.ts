import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** What is under a path; undefined where nothing is, or it cannot be seen. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What speaks against a database file under a path, without a full stop, as far as can be told without opening it. */
export function findPathProblem(path: string): string | undefined {
  const folder = dirname(path);
  const stats = look(path);
  if (stats?.isDirectory() === true) {
    return 'it is a folder';
  }
  if (stats !== undefined && !stats.isFile()) {
    return 'it is no file, but a device, a pipe or a socket';
  }
  if (look(folder)?.isDirectory() !== true) {
    return `there is no folder ${folder}`;
  }
  try {
    // SQLite makes files beside it.
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (stats !== undefined) {
      accessSync(path, constants.R_OK | constants.W_OK);
    }
    return undefined;
  } catch {
    return 'it, or its folder, may not be written';
  }
}
