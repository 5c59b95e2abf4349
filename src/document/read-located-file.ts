import { readFile } from 'node:fs/promises';
import { ClocheError } from '../errors/cloche-error.ts';
import { describeReadFailure } from '../errors/describe-read-failure.ts';
import type { ErrorCode } from '../errors/error-registry.ts';
import { describePath } from './describe-path.ts';
import { DocumentError } from './document-error.ts';
import type { LocatedFile } from './located-file.ts';
import { parseSource } from './parse-source.ts';
import { locatePointer, type TextPlaces } from './text-places.ts';

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Which file is read, and what is said where it cannot be. */
interface WantedFile {
  readonly file: string;
  /** `the baseline` */
  readonly what: string;
  /** The code of the error where it cannot be read. */
  readonly code: ErrorCode;
  /** What to do where there is no such file. */
  readonly remedyOfNone: string;
  /** Whether there need be none. */
  readonly mayBeMissing: boolean;
}

export function readLocatedFile(input: WantedFile & { readonly mayBeMissing: false }): Promise<LocatedFile>;
export function readLocatedFile(input: WantedFile): Promise<LocatedFile | undefined>;
/**
 * Reads a file of settings, JSON by its name, else YAML or JSON.
 *
 * @returns undefined where there is none and need be none
 * @throws ClocheError of that code where it cannot be read
 * @throws DocumentError DOCUMENT_SYNTAX, with every problem at its line and column
 */
export async function readLocatedFile(input: WantedFile): Promise<LocatedFile | undefined> {
  const { file, what, code } = input;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (cause) {
    if (isMissing(cause) && input.mayBeMissing) {
      return undefined;
    }
    throw new ClocheError(code, {
      attempt: `read ${what}`,
      subject: file,
      reason: cause instanceof TypeError ? 'it is not UTF-8' : describeReadFailure(cause),
      remedy: isMissing(cause) ? input.remedyOfNone : 'Name a file that can be read',
      cause,
    });
  }
  const places: TextPlaces = new WeakMap();
  const root = await parseSource({ file, text, isJson: file.endsWith('.json'), places });
  return {
    text,
    root,
    toError: (problemCode, problems) =>
      new DocumentError(problemCode, {
        source: file,
        problems: problems.map(({ pointer, reason, remedy }) => {
          const path = describePath(root, pointer);
          return {
            ...(locatePointer({ places, root, pointer }) ?? { file, line: 1, column: 1 }),
            reason: path === '' ? reason : `${path}: ${reason}`,
            remedy,
          };
        }),
      }),
  };
}
