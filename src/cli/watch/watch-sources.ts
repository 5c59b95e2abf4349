import { StoreUnavailable } from '../../mock/store/store-unavailable.ts';
import { describeThrown } from '../describe-thrown.ts';
import { showSource } from '../show-source.ts';
import { createFileMemory } from './create-file-memory.ts';
import type { WatchedSource } from './watched-source.ts';
import { watchFiles } from './watch-files.ts';

/** A store that is away is asked again after so long, in milliseconds. */
const retryMs = 1_000;

/** What watching has to say. */
export interface WatchNotice {
  /** Which files changed and what came of it, a line each. */
  readonly lines: readonly string[];
  /** Everything that is to be known by now: what cannot be used at present comes before what was said last. */
  readonly all: readonly string[];
}

function nameFiles(files: readonly string[]): string {
  const names = files.map(showSource);
  return names.length > 2 ? `${names.length} files` : names.join(' and ');
}

function toLines(input: {
  readonly names: string;
  readonly wasBroken: boolean;
  readonly changes: readonly string[];
}): readonly string[] {
  const { names, wasBroken, changes } = input;
  const came = wasBroken ? 'can be used again' : 'changed';
  return changes.length === 0
    ? [`${names} ${came}; the mock answers as it did.`]
    : [`${names} ${came}, and the mock goes by it:`, ...changes.map((line) => `  ${line}`)];
}

/**
 * Watches what a mock was made of, and has it take up what changes. What cannot be used leaves the mock as it was.
 *
 * @param input.since - when reading the sources began, in milliseconds since 1970
 * @returns a function that ends it
 */
export function watchSources(input: {
  readonly sources: readonly WatchedSource[];
  readonly since: number;
  readonly tell: (notice: WatchNotice) => void;
}): () => void {
  const { sources, tell } = input;
  const memory = createFileMemory();
  const watch = watchFiles(look);
  const broken = new Map<WatchedSource, readonly string[]>();
  /** When the store is asked again, for those that it kept from being taken up. */
  const timers = new Map<WatchedSource, NodeJS.Timeout>();
  const due = new Map<WatchedSource, readonly string[]>();
  let { since } = input;
  let isLooking = false;
  let isToLookAgain = false;
  let isClosed = false;

  /** @param isSure - whether any of the files is known to hold something else */
  async function takeUp(source: WatchedSource, changed: readonly string[], isSure: boolean): Promise<void> {
    const names = nameFiles(changed);
    since = Date.now();
    clearTimeout(timers.get(source));
    let lines: readonly string[];
    try {
      const changes = await source.takeUp(changed);
      const wasBroken = broken.delete(source);
      if (changes.length === 0 && !isSure && !wasBroken) {
        return;
      }
      lines = toLines({ names, wasBroken, changes });
    } catch (error) {
      const isForLater = error instanceof StoreUnavailable;
      const until = isForLater ? ' until the store answers' : '';
      lines = [
        `${names} changed and cannot be used; the mock goes on as it was${until}.`,
        ...describeThrown(error).text.split('\n'),
      ];
      const isSaid = (isForLater || !isSure) && broken.get(source)?.join('\n') === lines.join('\n');
      broken.set(source, lines);
      if (isForLater) {
        timers.set(source, setTimeout(() => retry(source, changed), retryMs).unref());
      }
      if (isSaid) {
        return;
      }
    }
    const others = [...broken].flatMap(([other, said]) => (other === source ? [] : said));
    tell({ lines, all: [...others, ...lines] });
  }

  function retry(source: WatchedSource, changed: readonly string[]): void {
    due.set(source, changed);
    look();
  }

  async function lookOnce(): Promise<void> {
    if (isClosed) {
      return;
    }
    const files = sources.flatMap((source) => source.files());
    watch.set(files);
    const changed = await memory.look(files, since);
    for (const source of sources) {
      const later = due.get(source) ?? [];
      due.delete(source);
      const own = source.files().filter((file) => changed.has(file) || later.includes(file));
      if (own.length > 0) {
        await takeUp(source, own, later.length > 0 || own.some((file) => changed.get(file) === 'changed'));
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
      return;
    }
    void lookOn();
  }

  look();
  return () => {
    isClosed = true;
    watch.close();
  };
}
