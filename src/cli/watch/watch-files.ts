import { type FSWatcher, realpathSync, statSync, unwatchFile, watch, watchFile } from 'node:fs';
import { basename, dirname } from 'node:path';

/** A look at each file now and then notices what the system does not tell of: some mounted folders tell nothing. */
const lookEveryMs = 2_000;
/** An editor that saves makes several changes at once, in milliseconds. */
const restMs = 50;

/** Files that are watched. */
export interface FileWatch {
  /** Has other files watched, as paths that are absolute. */
  readonly set: (files: Iterable<string>) => void;
  readonly close: () => void;
}

/** The places where a change of a file shows: its own, and where it is a link, that of what it leads to. */
function placesOf(file: string): readonly string[] {
  try {
    return [file, realpathSync(file)];
  } catch {
    return [file];
  }
}

/** What tells a folder from another one of its name. */
function idOf(folder: string): number | undefined {
  try {
    return statSync(folder).ino;
  } catch {
    return undefined;
  }
}

/**
 * Calls back when one of some files may have changed, been replaced or gone, once for changes that come together.
 * It watches their folders, as an editor that saves puts another file in the place of the one that was there.
 */
export function watchFiles(onChange: () => void): FileWatch {
  const folders = new Map<string, { readonly watcher: FSWatcher; readonly id: number | undefined }>();
  const looks = new Set<string>();
  let names: ReadonlySet<string> = new Set();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function notice(): void {
    clearTimeout(timer);
    timer = isClosed ? undefined : setTimeout(onChange, restMs);
  }

  function leave(folder: string): void {
    folders.get(folder)?.watcher.close();
    folders.delete(folder);
  }

  function watchFolder(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        // Other files of the folder may change without end: a log is one.
        if (name === null || names.has(name)) {
          notice();
        }
      });
      folders.set(folder, { watcher, id: idOf(folder) });
      watcher.on('error', () => leave(folder));
    } catch {
      // There is none of that name, or too many are watched: the look at each file is left.
    }
  }

  function set(files: Iterable<string>): void {
    const wanted = new Set(files);
    const places = [...wanted].flatMap(placesOf);
    names = new Set(places.map((place) => basename(place)));
    const wantedFolders = new Set(places.map((place) => dirname(place)));
    // A folder that another one has taken the place of is watched where it went.
    [...folders]
      .filter(([folder, { id }]) => !wantedFolders.has(folder) || idOf(folder) !== id)
      .forEach(([folder]) => leave(folder));
    [...wantedFolders].filter((folder) => !folders.has(folder)).forEach(watchFolder);
    for (const file of looks) {
      if (!wanted.has(file)) {
        unwatchFile(file, notice);
        looks.delete(file);
      }
    }
    for (const file of wanted) {
      if (!looks.has(file)) {
        watchFile(file, { interval: lookEveryMs, persistent: false }, notice);
        looks.add(file);
      }
    }
  }

  return {
    set,
    close() {
      isClosed = true;
      clearTimeout(timer);
      set([]);
    },
  };
}
