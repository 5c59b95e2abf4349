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
import { basename, dirname, join, relative } from 'node:path';
import { fileReads } from '../document/read-file.ts';
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
export function unwritableFile(what: string, file: string, cause: unknown): ClocheError {
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

/** The files that the process read, and those that it writes now. */
const [inputs, outputs] = [new Set<string>(), new Set<string>()];
fileReads.subscribe((path) => inputs.add(String(path)));

/** The device and the inode of a regular file, which all its links have in common. */
function identify(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true });
    return stats.isFile() ? `${stats.dev}:${stats.ino}` : undefined;
  } catch {
    return undefined;
  }
}

function refuseSameFile(target: string, paths: ReadonlySet<string>, reason: string): void {
  const identity = identify(target);
  const same = [...paths].find(
    (path) => path === target || (identity !== undefined && identify(path) === identity),
  );
  if (same !== undefined) throw new Error(`${reason} (${relative(process.cwd(), same)})`);
}

/**
 * Where the report is to stand, and where it is written until it is whole.
 *
 * @throws Error for a file that the process reads, unless it is updated in place, and for one that it writes already
 */
function findPlaces(file: string, isUpdate: boolean): { readonly target: string; readonly draft: string } {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
  if (stats !== undefined && !stats.isFile()) {
    // A device or a pipe keeps its place.
    accessSync(file, constants.W_OK);
    return { target: file, draft: file };
  }
  const target = stats === undefined ? join(realpathSync(dirname(file)), basename(file)) : realpathSync(file);
  const folder = dirname(target);
  if (!isUpdate) refuseSameFile(target, inputs, 'the command reads the same file');
  refuseSameFile(target, outputs, 'another output of the command goes to the same file');
  if (statSync(folder).isDirectory()) {
    accessSync(folder, constants.W_OK);
  }
  return { target, draft: join(folder, `.${basename(target)}.${process.pid}.tmp`) };
}

/**
 * Creates what writes a report, or something else that is to be whole, to a file: beside it as the run goes,
 * and over it at the end, so that whoever reads the file never sees half of it. Create it after the command has read its
 * files: a file that was read is replaced only if `isUpdate` says that the output is its new version.
 *
 * @throws ClocheError REPORT_UNWRITABLE where it can be told before a run that the file cannot be written
 */
export function createFileSink(
  file: string,
  what = 'the report',
  { isUpdate = false }: { readonly isUpdate?: boolean } = {},
): ReportSink {
  let places: ReturnType<typeof findPlaces>;
  try {
    places = findPlaces(file, isUpdate);
  } catch (cause) {
    throw unwritableFile(what, file, cause);
  }
  const { target, draft } = places;
  if (draft !== target) outputs.add(target);
  let waiting = '';
  let descriptor: number | undefined;
  let failure: ClocheError | undefined;

  function attempt(handle: () => void): void {
    try {
      handle();
    } catch (cause) {
      failure ??= unwritableFile(what, file, cause);
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
      if (failure !== undefined) return;
      waiting += text;
      if (waiting.length >= batch) attempt(flush);
    },
    close() {
      outputs.delete(target);
      if (waiting !== '') attempt(flush);
      const opened = descriptor;
      if (opened === undefined) return failure;
      attempt(() => closeSync(opened));
      if (draft === target) return failure;
      if (failure === undefined) attempt(() => renameSync(draft, target));
      rmSync(draft, { force: true });
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
  writeTo(createFileSink(file, what), text);
}

/** Writes a text to a sink and closes it. @throws ClocheError REPORT_UNWRITABLE where it cannot be written */
export function writeTo(sink: ReportSink, text: string): void {
  sink.write(text);
  const failure = sink.close();
  if (failure !== undefined) throw failure;
}
