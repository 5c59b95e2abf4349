import { failsRun } from '../report/fails-run.ts';
import type { FoundCause } from '../runner/run-event.ts';

/** 0 clean; 1 violations that are not known, or advice under --strict; 130 interrupted. */
export function exitCodeOf(
  result: { readonly findings: readonly FoundCause[]; readonly interrupted: boolean },
  strict: boolean,
): 0 | 1 | 130 {
  if (result.interrupted) {
    return 130;
  }
  return result.findings.some((found) => failsRun(found, { strict })) ? 1 : 0;
}
