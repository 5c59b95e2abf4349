import type { RunResult } from '../runner/run-event.ts';

/** 0 clean; 1 violations, or advice under --strict; 130 interrupted. */
export function exitCodeOf(result: RunResult, strict: boolean): 0 | 1 | 130 {
  if (result.interrupted) {
    return 130;
  }
  const failing = result.findings.filter(
    ({ finding }) => finding.level === 'violation' || (strict && finding.level === 'advice'),
  );
  return failing.length > 0 ? 1 : 0;
}
