import { createHash } from 'node:crypto';
import { type FSWatcher, realpathSync, statSync, unwatchFile, watch, watchFile } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readFileBytes } from '../../document/read-file.ts';
import { StoreUnavailable } from '../../mock/store/store.ts';
import { describeThrown } from '../process.ts';
import { showSource } from '../terminal.ts';

/** A file that is being replaced may be gone for so long, in milliseconds, and so often it is looked for again. */
const goneForMs = 100;
const looks = 3;
/** A file system counts time in steps, in milliseconds. */
const stepMs = 10;

interface FileMemory {
  /**
   * Finds the files that hold something else than at the last look, or may: one that is new to the memory may
   * have changed where it was written about `began` or later, and what was written until `ended` may have
   * been read as it is now. Between the two, in milliseconds since 1970, whoever asks read the files.
   */
  readonly look: (
    files: Iterable<string>,
    began: number,
    ended?: number,
  ) => Promise<ReadonlyMap<string, 'changed' | 'may-have-changed'>>;
}

/** What stands for the content of a file, or for there being none that can be read. */
async function digest(file: string, looksLeft: number): Promise<string> {
  try {
    return createHash('sha256')
      .update(await readFileBytes(file, { mayBePipe: false }))
      .digest('base64');
  } catch {
    if (looksLeft === 0) return 'none';
    await wait(goneForMs);
    return digest(file, looksLeft - 1);
  }
}

/** Remembers what files hold, so that one that was only touched has not changed. */
export function createFileMemory(): FileMemory {
  const digests = new Map<string, string>();
  return {
    async look(files, began, ended = began) {
      const seen = new Map<string, 'changed' | 'may-have-changed'>();
      async function lookAt(file: string): Promise<void> {
        const known = digests.get(file);
        const found = await digest(file, known === undefined || known === 'none' ? 0 : looks);
        digests.set(file, found);
        if (known === found) return;
        // Only now: what is written while it is read would be missed otherwise.
        const { ctimeMs = 0, mtimeMs = 0 } = (await stat(file).catch(() => undefined)) ?? {};
        const written = Math.max(ctimeMs, mtimeMs);
        if (known !== undefined) {
          seen.set(file, written > 0 && written <= ended ? 'may-have-changed' : 'changed');
        } else if (written > began - stepMs) {
          seen.set(file, 'may-have-changed');
        }
      }
      await Promise.all([...new Set(files)].map(lookAt));
      return seen;
    },
  };
}

/** A look at each file now and then notices what the system does not tell of: some mounted folders tell nothing. */
const lookEveryMs = 2_000;
/** An editor that saves makes several changes at once, in milliseconds. */
const restMs = 50;

interface FileWatch {
  /** Has other files watched, as paths that are absolute. */
  readonly set: (files: Iterable<string>) => void;
  readonly close: () => void;
}

function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** Follows links to a file. Whoever writes to a device (`/dev/null`) changes no file. */
function followLink(file: string): string {
  return statSync(file).isFile() ? realpathSync(file) : file;
}

/**
 * Calls back once for changes that come together. It watches the folders of the files, as an editor that
 * saves puts another file in the place of the one that was there.
 */
function watchFiles(onChange: () => void): FileWatch {
  const folders = new Map<string, { readonly watcher: FSWatcher; readonly id: number | undefined }>();
  const lookedAt = new Set<string>();
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

  /** A folder may be replaced by another one of its name. */
  function idOf(folder: string): number | undefined {
    return attempt(() => statSync(folder).ino);
  }

  function watchFolder(folder: string): void {
    const watcher = attempt(() =>
      watch(folder, { persistent: false }, (_, name) => {
        // Other files of the folder may change without end: a log is one.
        if (name === null || names.has(name)) {
          notice();
        }
      }),
    );
    // There is none of that name, or too many are watched: the look at each file is left.
    if (watcher === undefined) return;
    folders.set(folder, { watcher, id: idOf(folder) });
    watcher.on('error', () => leave(folder));
  }

  function set(files: Iterable<string>): void {
    const wanted = new Set(files);
    // A change shows at the place of a file, and where that is a link, at what it leads to.
    const places = [...wanted].flatMap((file) => [file, attempt(() => followLink(file)) ?? file]);
    names = new Set(places.map((place) => basename(place)));
    const wantedFolders = new Set(places.map((place) => dirname(place)));
    // A folder that another one has taken the place of is watched where it went.
    [...folders]
      .filter(([folder, { id }]) => !wantedFolders.has(folder) || idOf(folder) !== id)
      .forEach(([folder]) => leave(folder));
    [...wantedFolders].filter((folder) => !folders.has(folder)).forEach(watchFolder);
    for (const file of [...lookedAt].filter((each) => !wanted.has(each))) {
      unwatchFile(file, notice);
      lookedAt.delete(file);
    }
    for (const file of [...wanted].filter((each) => !lookedAt.has(each))) {
      watchFile(file, { interval: lookEveryMs, persistent: false }, notice);
      lookedAt.add(file);
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

/** Something that a running mock was made of, and that may change. */
export interface WatchedSource {
  /** The files that it is read from, as absolute paths; a change may bring others. */
  readonly files: () => readonly string[];
  /**
   * Has the mock take up what the `changed` files hold now; gives what that changed, a line each.
   *
   * @throws ClocheError where it cannot be used; the mock goes on as it was
   */
  readonly takeUp: (changed: readonly string[]) => Promise<readonly string[]>;
}

/** A store that is away is asked again after so long, in milliseconds. */
const retryMs = 1_000;

interface Failure {
  readonly changed: readonly string[];
  readonly lines: readonly string[];
}

interface WatchNotice {
  /** Which files changed and what came of it, a line each. */
  readonly lines: readonly string[];
  /** Everything that is to be known by now: what cannot be used at present comes before what was said last. */
  readonly all: readonly string[];
}

function nameFiles(files: readonly string[]): string {
  const names = files.map(showSource);
  return names.length > 2 ? `${names.length} files` : names.join(' and ');
}

function describeChanges(came: string, changes: readonly string[]): readonly string[] {
  if (changes.length === 0) return [`${came}; the mock answers as it did.`];
  return [`${came}, and the mock goes by it:`, ...changes.map((line) => `  ${line}`)];
}

function describeFailure(names: string, error: unknown): readonly string[] {
  const until = error instanceof StoreUnavailable ? ' until the store answers' : '';
  return [
    `${names} changed and cannot be used; the mock goes on as it was${until}.`,
    ...describeThrown(error).text.split('\n'),
  ];
}

/**
 * Watches what a mock was made of, and has it take up what changes. What cannot be used leaves the mock as it
 * was. `since` is when reading the sources began, in milliseconds since 1970. Gives a function that ends it.
 */
export function watchSources(input: {
  readonly sources: readonly WatchedSource[];
  readonly since: number;
  readonly tell: (notice: WatchNotice) => void;
}): () => void {
  const { sources, tell } = input;
  const memory = createFileMemory();
  const watch = watchFiles(() => {
    // What was read may have been there for a moment only, so that its file seems unchanged.
    for (const source of broken.keys()) due.add(source);
    look();
  });
  /** The sources that cannot be used, with their changed files and what was said of them. */
  const broken = new Map<WatchedSource, Failure>();
  /** When the store is asked again, for those that it kept from being taken up. */
  const timers = new Map<WatchedSource, NodeJS.Timeout>();
  /** The broken sources to read again. */
  const due = new Set<WatchedSource>();
  /** When the sources were read last. */
  let began = input.since;
  let ended = Date.now();
  let isLooking = false;
  let isToLookAgain = false;
  let isClosed = false;

  /** `isSure` where any of the files is known to hold something else. */
  async function takeUp(source: WatchedSource, changed: readonly string[], isSure: boolean): Promise<void> {
    const names = nameFiles(changed);
    began = Date.now();
    clearTimeout(timers.get(source));
    let lines: readonly string[];
    try {
      const changes = await source.takeUp(changed).finally(() => {
        ended = Date.now();
      });
      const wasBroken = broken.delete(source);
      if (changes.length === 0 && !isSure && !wasBroken) return;
      lines = describeChanges(`${names} ${wasBroken ? 'can be used again' : 'changed'}`, changes);
    } catch (error) {
      const isForLater = error instanceof StoreUnavailable;
      lines = describeFailure(names, error);
      const isSaid = (isForLater || !isSure) && broken.get(source)?.lines.join('\n') === lines.join('\n');
      broken.set(source, { changed, lines });
      if (isForLater) {
        const retry = (): void => {
          due.add(source);
          look();
        };
        timers.set(source, setTimeout(retry, retryMs).unref());
      }
      if (isSaid) return;
    }
    const others = [...broken].flatMap(([other, said]) => (other === source ? [] : said.lines));
    tell({ lines, all: [...others, ...lines] });
  }

  async function lookOnce(): Promise<void> {
    if (isClosed) return;
    const files = sources.flatMap((source) => source.files());
    watch.set(files);
    const changed = await memory.look(files, began, ended);
    for (const source of sources) {
      const again = due.delete(source) ? broken.get(source)?.changed : undefined;
      const own = new Set([...(again ?? []), ...source.files().filter((file) => changed.has(file))]);
      if (own.size > 0) {
        const isSure = [...own].some((file) => changed.get(file) === 'changed');
        await takeUp(source, [...own], isSure);
        // What was read now may be another set of files.
        isToLookAgain = true;
      }
    }
  }

  async function lookOn(): Promise<void> {
    isLooking = true;
    try {
      do {
        isToLookAgain = false;
        await lookOnce();
      } while (isToLookAgain);
    } finally {
      isLooking = false;
    }
  }

  function look(): void {
    if (isLooking) {
      isToLookAgain = true;
    } else {
      void lookOn();
    }
  }

  look();
  return () => {
    isClosed = true;
    watch.close();
  };
}
