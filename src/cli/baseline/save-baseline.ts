import type { RunResult } from '../../runner/run-event.ts';
import type { BaselineFile } from './baseline-file.ts';
import { renderBaselineFile } from './render-baseline-file.ts';
import { updateEntries } from './update-entries.ts';
import { writeBaseline } from './write-baseline.ts';

/**
 * Writes a baseline anew after a run, unless that was interrupted.
 *
 * @returns what was done, in words, and the result without the findings that it holds since
 * @throws ClocheError BASELINE_INVALID where it cannot be written
 */
export async function saveBaseline(
  file: BaselineFile,
  result: RunResult,
  options: { readonly strict: boolean },
): Promise<{ readonly words: string; readonly result: RunResult }> {
  if (result.interrupted) {
    return { words: `Baseline ${file.file}: not written, as the run was interrupted.`, result };
  }
  const updated = updateEntries(file.entries, result, options);
  const { added, removed } = updated;
  if (file.text === undefined || added.length > 0 || removed.size > 0) {
    await writeBaseline(file.file, renderBaselineFile(file, updated));
  }
  const kept = file.entries.length - removed.size;
  const ids = new Set(added.map(({ id }) => id));
  return {
    words: `Baseline ${file.file}: ${added.length} added, ${removed.size} removed, ${kept} kept.`,
    result: { ...result, findings: result.findings.filter(({ id }) => !ids.has(id)) },
  };
}
