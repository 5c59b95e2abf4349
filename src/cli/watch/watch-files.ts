import { createHash } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { readFileBytes } from '../../document/read-file.ts';
import { StoreUnavailable } from '../../mock/store/store.ts';
import { describeThrown } from '../process.ts';
import { showSource } from '../terminal.ts';

/** Delay before a missing file is read again, in milliseconds, and the number of retries: it may be being replaced. */
const goneForMs = 100;
const looks = 3;
/** Resolution of the times of a file system, in milliseconds. */
const stepMs = 10;

interface FileMemory {
  /**
   * Finds the files whose content changed since the last call, or may have changed. The caller read the files between
   * `began` and `ended`, in milliseconds since 1970. A new file may have changed if it was written about `began` or
   * later. A known file may have been read with its new content if that was written until `ended`.
   */
  readonly look: (
    files: Iterable<string>,
    began: number,
    ended?: number,
  ) => Promise<ReadonlyMap<string, 'changed' | 'may-have-changed'>>;
}

/** Returns a digest of the content of a file, or `none` if the file cannot be read. */
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

/** Returns when a file was last written, or replaced by a link to an older one, in milliseconds since 1970; 0 if it is gone. */
async function timeOf(file: string): Promise<number> {
  const states = await Promise.all([stat, lstat].map((read) => read(file).catch(() => undefined)));
  return Math.max(...states.map((state) => Math.max(state?.ctimeMs ?? 0, state?.mtimeMs ?? 0)));
}

/** Creates a memory of the content of files: a file that was only touched has not changed. */
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
        // Read last: otherwise a change during the reading would be missed.
        const written = await timeOf(file);
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

/** Interval between checks of each file, in milliseconds. The system reports no changes of some mounted folders. */
const lookEveryMs = 250;
/** Time to wait for further changes, in milliseconds: an editor that saves makes several. */
const restMs = 50;

interface FileWatch {
  /** Sets the files to watch, as absolute paths. */
  readonly set: (files: Iterable<string>) => void;
  readonly close: () => void;
}

/** Watches files by their state, whether they exist or not, and calls back once for changes that come together. */
export function watchFiles(onChange: () => void): FileWatch {
  const watched = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function notice(): void {
    clearTimeout(timer);
    timer = isClosed ? undefined : setTimeout(onChange, restMs);
  }

  function set(files: Iterable<string>): void {
    const wanted = new Set(files);
    for (const file of [...watched].filter((each) => !wanted.has(each))) {
      unwatchFile(file, notice);
      watched.delete(file);
    }
    for (const file of [...wanted].filter((each) => !watched.has(each))) {
      watchFile(file, { interval: lookEveryMs, persistent: false }, notice);
      watched.add(file);
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

/** An input of a running mock that may change. */
export interface WatchedSource {
  /** Returns the files that it is read from, as absolute paths; a change may add others. */
  readonly files: () => readonly string[];
  /**
   * Applies the present content of the `changed` files to the mock; returns the effects, one line each.
   *
   * @throws ClocheError if it cannot be used; the mock then stays unchanged
   */
  readonly takeUp: (changed: readonly string[]) => Promise<readonly string[]>;
}

/** Delay before an unavailable store is tried again, in milliseconds. */
const retryMs = 1_000;

interface Failure {
  readonly changed: readonly string[];
  readonly lines: readonly string[];
}

/** Names files in a sentence: up to two of them, or their number. */
export function nameFiles(files: readonly string[]): string {
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

/** The inputs of a mock to watch. */
interface WatchedInputs {
  readonly sources: readonly WatchedSource[];
  readonly since: number;
  /**
   * Reports the changed files and the effects, one line each. `all` are all present notices: those about inputs that cannot
   * be used come before the latest one.
   */
  readonly tell: (notice: Readonly<Record<'lines' | 'all', readonly string[]>>) => void;
}

/**
 * Watches the inputs of a mock, and applies their changes. An input that cannot be used leaves the mock unchanged.
 * Reading them began at `since`, in milliseconds since 1970. Returns a function that stops watching.
 */
export function watchSources(input: WatchedInputs): () => void {
  const { sources, tell } = input;
  const memory = createFileMemory();
  const watch = watchFiles(() => {
    // The content that was read may have existed only for a moment, so the file seems unchanged.
    for (const source of broken.keys()) due.add(source);
    look();
  });
  /** The sources that cannot be used, with their changed files and the lines about them. */
  const broken = new Map<WatchedSource, Failure>();
  /** The timers for another attempt at the sources that an unavailable store blocked. */
  const timers = new Map<WatchedSource, NodeJS.Timeout>();
  /** The broken sources to read again. */
  const due = new Set<WatchedSource>();
  /** The time of the last reading of the sources. */
  let began = input.since;
  let ended = Date.now();
  let isLooking = false;
  let isToLookAgain = false;
  let isClosed = false;

  /** Applies the changes of a source; `isSure` if the content of any file is known to differ. */
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
        // The source may now consist of other files.
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
