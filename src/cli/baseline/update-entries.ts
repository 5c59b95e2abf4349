import { failsRun } from '../../report/fails-run.ts';
import { findingTitles } from '../../report/finding-words.ts';
import type { BaselineEntry } from '../../runner/baseline-entry.ts';
import type { RunFinding, RunResult } from '../../runner/run-event.ts';

/** What a baseline is to hold after a run. */
export interface UpdatedEntries {
  /** The ids of the entries that are to go, as what they name is gone. */
  readonly removed: ReadonlySet<string>;
  readonly added: readonly BaselineEntry[];
}

function toEntry({ id, finding }: RunFinding): BaselineEntry {
  const { check, operation, trigger } = finding;
  const where = trigger === undefined ? operation : `${operation}, ${trigger}`;
  return { id, title: `${findingTitles[check]} (${where})` };
}

/**
 * What a baseline is to hold after a run: what it held and was not found to be gone, and whatever else would fail
 * the run.
 *
 * @param options.strict - whether advice fails the run
 */
export function updateEntries(
  entries: readonly BaselineEntry[],
  { findings, gone }: Pick<RunResult, 'findings' | 'gone'>,
  { strict }: { readonly strict: boolean },
): UpdatedEntries {
  const known = new Set(entries.map(({ id }) => id));
  const failing = findings.filter((found) => !known.has(found.id) && failsRun(found, { strict }));
  return { removed: new Set(gone.map(({ id }) => id)), added: failing.map(toEntry) };
}
