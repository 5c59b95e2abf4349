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

/** The destination of a report. */
export interface ReportSink {
  /** Writes a piece of text. It never throws: a full disk does not end a run. */
  readonly write: (text: string) => void;
  /** Moves the written text into place in one step, if there was any, even an empty one. Returns the error, if there was one. */
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
  EPIPE: 'its reader has closed it',
};

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'Make the folder first, or name another file',
  ENOSPC: 'Free some room on it, or name another file',
  EPIPE: 'Read it to its end, or name a file',
};

/** Creates the error for a file that cannot be written; `what` is for example `the report`. */
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

/** Number of characters that are written together. */
const batch = 64 * 1_024;

/** The files that the process has read, and those that it is writing. */
const [inputs, outputs] = [new Set<string>(), new Set<string>()];
fileReads.subscribe((path) => inputs.add(String(path)));

/** Returns the device and the inode of a regular file, which all its links share. */
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
 * Returns the path of the report, and the path of the draft that is written until the report is complete.
 *
 * @throws Error for a file that the process reads, unless it is updated in place, or that it is already writing
 */
function findPlaces(file: string, isUpdate: boolean): { readonly target: string; readonly draft: string } {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
  if (stats !== undefined && !stats.isFile()) {
    // A device or a pipe is written directly.
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
 * Creates a sink for a report, or another output that must be complete. The text goes to a draft, which replaces
 * the file at the end of the run: readers never see an incomplete file. Create the sink after the command has read its
 * files: a file that was read is replaced only if `isUpdate` marks the output as its new version.
 *
 * @throws ClocheError REPORT_UNWRITABLE if it is known before a run that the file cannot be written
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
  let isWritten = false;
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
      isWritten = true;
      waiting += text;
      if (waiting.length >= batch) attempt(flush);
    },
    close() {
      outputs.delete(target);
      // An empty text is one too: it replaces what an earlier run wrote.
      if (waiting !== '' || (isWritten && descriptor === undefined && failure === undefined)) attempt(flush);
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
 * Writes a file completely or not at all; `what` names the file in an error message.
 *
 * @throws ClocheError REPORT_UNWRITABLE if it cannot be written; its content then stays
 */
export function writeWhole(file: string, what: string, text: string): void {
  writeTo(createFileSink(file, what), text);
}

/** Writes a text to a sink and closes it. @throws ClocheError REPORT_UNWRITABLE if it cannot be written */
export function writeTo(sink: ReportSink, text: string): void {
  sink.write(text);
  const failure = sink.close();
  if (failure !== undefined) throw failure;
}
