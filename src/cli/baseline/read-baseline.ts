import { readLocatedFile } from '../../document/read-located-file.ts';
import type { BaselineFile } from './baseline-file.ts';
import { parseBaseline } from './parse-baseline.ts';

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
  const read = await readLocatedFile({
    file,
    what: 'the baseline',
    code: 'BASELINE_INVALID',
    remedyOfNone: 'Add --update-baseline to have it written, or name a file that there is',
    mayBeMissing: options.mayBeMissing,
  });
  if (read === undefined) {
    return { file, text: undefined, entries: [] };
  }
  const { entries, problems } = parseBaseline(read.root);
  if (problems.length > 0) {
    throw read.toError('BASELINE_INVALID', problems);
  }
  return { file, text: read.text, entries };
}
