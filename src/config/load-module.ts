import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JitiOptions } from 'jiti';
import { ClocheError, describeReadFailure, type ErrorCode } from '../errors/cloche-error.ts';

/** A file with code that a user wrote, and what it is for error messages: `the extension`. */
interface ModuleFile {
  readonly file: string;
  readonly what: string;
  readonly code: ErrorCode;
  /** Called with each file that is loaded and not in a package. CommonJS modules are not named. */
  readonly onRead?: (file: string) => void;
}

/**
 * Loads a module of JavaScript or TypeScript and returns its default export. The file and the files that it imports are
 * read again with each call, so that a watcher sees their changes. Types are stripped, not checked.
 *
 * @throws ClocheError with the given code if the file is missing, cannot be loaded or has no default export
 */
export async function loadModule({ file, what, code, onRead }: ModuleFile): Promise<unknown> {
  const { createJiti } = await import('jiti');
  const path = resolve(file);
  const url = pathToFileURL(path).href;
  const options: JitiOptions = {
    moduleCache: false,
    fsCache: false,
    interopDefault: false,
    // Modules of the package that the file imports must be the ones that run.
    tryNative: false,
  };
  const plain = createJiti(url, options);
  const jiti =
    onRead === undefined
      ? plain
      : createJiti(url, {
          ...options,
          transform(of) {
            if (of.filename !== undefined) onRead(of.filename);
            return { code: plain.transform(of) };
          },
        });
  const fail = (reason: string, remedy: string, cause?: unknown): ClocheError =>
    new ClocheError(code, { attempt: `load ${what}`, subject: file, reason, remedy, cause });
  let loaded: unknown;
  try {
    loaded = await jiti.import(path);
  } catch (cause) {
    throw fail(describeLoadFailure(cause, path), 'Name a file of JavaScript or TypeScript that loads', cause);
  }
  // `as`: a module is an object of its exports.
  const exported = (loaded as { readonly default?: unknown }).default;
  if (exported === undefined) {
    throw fail('it has no default export', `Write "export default" before ${what}`);
  }
  return exported;
}

/** Describes why a file did not load, with the line of the file if the error names one. */
function describeLoadFailure(cause: unknown, path: string): string {
  if (!(cause instanceof Error)) return String(cause);
  if ('code' in cause && cause.code === 'ENOENT') return describeReadFailure(cause);
  const place = findPlace(cause, path);
  const [message = ''] = cause.message.split('\n');
  return place === undefined ? message : `${message} (${place})`;
}

/**
 * Returns the line and column in a file where an error was thrown, as in `cloche.extension.ts:8:5`.
 *
 * @returns undefined if the stack of the error does not name the file
 */
export function findPlace(error: Error, file: string): string | undefined {
  const path = resolve(file);
  const line = (error.stack ?? '').split('\n').find((text) => text.includes(`${path}:`));
  const [, numbers] = /:(\d+(?::\d+)?)\)?$/u.exec(line ?? '') ?? [];
  return numbers === undefined ? undefined : `${file}:${numbers}`;
}
