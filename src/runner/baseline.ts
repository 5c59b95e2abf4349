import type { BaselineEntry } from './baseline-entry.ts';

/** What a run is told of findings that are known. */
export interface Baseline {
  readonly entries: readonly BaselineEntry[];
  /** The day of the run in UTC, `2026-11-21`, by which entries expire. */
  readonly today: string;
  /** Why the run cannot show all that there is, where it was told to look at a part: `only some suites are run`. */
  readonly partly: string | undefined;
}

/** The entry that lets a finding pass, or the one that did until it expired. */
export function lookUp(
  baseline: Pick<Baseline, 'entries' | 'today'> | undefined,
  id: string,
): { readonly known?: BaselineEntry; readonly expired?: BaselineEntry } {
  const entry = baseline?.entries.find((one) => one.id === id);
  if (baseline === undefined || entry === undefined) {
    return {};
  }
  // Days in this form are in the order of their letters.
  return entry.expires !== undefined && entry.expires < baseline.today
    ? { expired: entry }
    : { known: entry };
}
