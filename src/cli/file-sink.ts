import {
  accessSync,
  closeSync,
  constants,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ClocheError } from '../errors/cloche-error.ts';
import { errorCode } from '../http/failures.ts';

/** Where a report goes. */
export interface ReportSink {
  /** Takes a piece; it never throws, so that a full disk does not end a run. */
  readonly write: (text: string) => void;
  /** Puts what was written in its place, all at once, where there was any; gives what went wrong so far. */
  readonly close: () => ClocheError | undefined;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is a file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be written',
  EPERM: 'it may not be written',
  EROFS: 'the disk may not be written',
  ENOSPC: 'the disk is full',
  EPIPE: 'nobody reads it any more',
};

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'Make the folder first, or name another file',
  ENOSPC: 'Free some room on it, or name another file',
  EPIPE: 'Read it to its end, or name a file',
};

/** What is said of a file that cannot be written; `what` is `the report`. */
export function unwritableFile(input: {
  readonly what: string;
  readonly file: string;
  readonly cause: unknown;
}): ClocheError {
  const { what, file, cause } = input;
  const code = errorCode(cause);
  return new ClocheError('REPORT_UNWRITABLE', {
    attempt: `write ${what}`,
    subject: file,
    reason: reasons[code] ?? (cause instanceof Error ? cause.message : String(cause)),
    remedy: remedies[code] ?? 'Name another file',
    cause,
  });
}

/** So many characters are written at once. */
const batch = 64 * 1_024;

/** Where the report is to stand, and where it is written until it is whole. */
function findPlaces(file: string): { readonly target: string; readonly draft: string } {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
  if (stats !== undefined && !stats.isFile()) {
    // A device or a pipe keeps its place.
    accessSync(file, constants.W_OK);
    return { target: file, draft: file };
  }
  const target = stats === undefined ? file : realpathSync(file);
  const folder = dirname(target);
  if (statSync(folder).isDirectory()) {
    accessSync(folder, constants.W_OK);
  }
  return { target, draft: join(folder, `.${basename(target)}.${process.pid}.tmp`) };
}

/**
 * Creates what writes a report, or something else that is to be whole, to a file: beside it as the run goes,
 * and over it at the end, so that whoever reads the file never sees half of it.
 *
 * @throws ClocheError REPORT_UNWRITABLE where it can be told before a run that the file cannot be written
 */
export function createFileSink(file: string, what = 'the report'): ReportSink {
  let places: ReturnType<typeof findPlaces>;
  try {
    places = findPlaces(file);
  } catch (cause) {
    throw unwritableFile({ what, file, cause });
  }
  const { target, draft } = places;
  let waiting = '';
  let descriptor: number | undefined;
  let failure: ClocheError | undefined;

  function attempt(handle: () => void): void {
    try {
      handle();
    } catch (cause) {
      failure ??= unwritableFile({ what, file, cause });
      waiting = '';
    }
  }

  function flush(): void {
    descriptor ??= openSync(draft, 'w');
    writeFileSync(descriptor, waiting);
    waiting = '';
  }

  return {
    write(text) {
      if (failure === undefined) {
        waiting += text;
        if (waiting.length >= batch) {
          attempt(flush);
        }
      }
    },
    close() {
      if (waiting !== '') {
        attempt(flush);
      }
      const opened = descriptor;
      if (opened === undefined) return failure;
      attempt(() => closeSync(opened));
      if (draft !== target) {
        if (failure === undefined) {
          attempt(() => renameSync(draft, target));
        }
        rmSync(draft, { force: true });
      }
      return failure;
    },
  };
}

/**
 * Writes a file whole or not at all; `what` is what it is called where it cannot be written.
 *
 * @throws ClocheError REPORT_UNWRITABLE where it cannot be written; what was in it stays
 */
export function writeWhole(file: string, what: string, text: string): void {
  const sink = createFileSink(file, what);
  sink.write(text);
  const failure = sink.close();
  if (failure !== undefined) throw failure;
}
