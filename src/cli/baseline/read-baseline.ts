import { readFile } from 'node:fs/promises';
import { describePath } from '../../document/describe-path.ts';
import { DocumentError } from '../../document/document-error.ts';
import { parseSource } from '../../document/parse-source.ts';
import { locatePointer, type TextPlaces } from '../../document/text-places.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { describeReadFailure } from '../../errors/describe-read-failure.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { BaselineFile } from './baseline-file.ts';
import { parseBaseline } from './parse-baseline.ts';

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function readText(file: string, mayBeMissing: boolean): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (cause) {
    const isThere = !isMissing(cause);
    if (!isThere && mayBeMissing) {
      return undefined;
    }
    throw new ClocheError('BASELINE_INVALID', {
      attempt: 'read the baseline',
      subject: file,
      reason: cause instanceof TypeError ? 'it is not UTF-8' : describeReadFailure(cause),
      remedy: isThere
        ? 'Name a file that can be read'
        : 'Add --update-baseline to have it written, or name a file that there is',
      cause,
    });
  }
}

/**
 * Reads a baseline, JSON by its name, else YAML or JSON.
 *
 * @param options.mayBeMissing - whether a file that there is not is one without entries
 * @throws ClocheError BASELINE_INVALID where it cannot be read
 * @throws DocumentError DOCUMENT_SYNTAX or BASELINE_INVALID, with every problem at its line and column
 */
export async function readBaseline(
  file: string,
  options: { readonly mayBeMissing: boolean },
): Promise<BaselineFile> {
  const text = await readText(file, options.mayBeMissing);
  if (text === undefined) {
    return { file, text, entries: [] };
  }
  const places: TextPlaces = new WeakMap();
  const root = await parseSource({ file, text, isJson: file.endsWith('.json'), places });
  const { entries, problems } = parseBaseline(root);
  if (problems.length > 0) {
    throw new DocumentError('BASELINE_INVALID', {
      source: file,
      problems: problems.map(({ pointer, reason, remedy }) => {
        const path = isJsonObject(root) ? describePath(root, pointer) : '';
        return {
          ...(locatePointer({ places, root, pointer }) ?? { file, line: 1, column: 1 }),
          reason: path === '' ? reason : `${path}: ${reason}`,
          remedy,
        };
      }),
    });
  }
  return { file, text, entries };
}
