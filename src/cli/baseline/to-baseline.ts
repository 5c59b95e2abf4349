import type { Baseline } from '../../runner/baseline.ts';
import type { BaselineFile } from './baseline-file.ts';

/**
 * What a run is told of a baseline: its entries, and the day by which they expire.
 *
 * @param suites - those that the run was narrowed to; none where it runs all
 */
export function toBaseline({ entries }: BaselineFile, suites: readonly string[]): Baseline {
  return {
    entries,
    today: new Date().toISOString().slice(0, 'YYYY-MM-DD'.length),
    partly: suites.length > 0 ? 'only some suites were run' : undefined,
  };
}
